import type { AgentRpc } from "#contract/agent-rpc.ts";
import type { SessionRpc } from "#contract/session-rpc.ts";

/**
 * Objects by name. The name is the identity: the same key always reaches the same object. Typed by their
 * contracts: the generated types do not see through every generic.
 */
export function sessionStub(env: Env, sessionKey: string): SessionRpc {
  return env.SESSION.getByName(sessionKey) satisfies SessionRpc;
}

export function agentStub(env: Env, agentId: string): AgentRpc {
  return env.AGENT.getByName(agentId) satisfies AgentRpc;
}
