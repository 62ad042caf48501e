import type { AgentRpc } from "#contract/agent-rpc.ts";

/** Objects by name. The name is the identity: the same key always reaches the same object. */
export function sessionStub(env: Env, sessionKey: string) {
  return env.SESSION.getByName(sessionKey);
}

/** Typed by its contract: the generated types do not see through every generic. */
export function agentStub(env: Env, agentId: string): AgentRpc {
  return env.AGENT.getByName(agentId) satisfies AgentRpc;
}
