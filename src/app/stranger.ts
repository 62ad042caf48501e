import type { ParsedMessage } from "#contract/message.ts";
import { buildSessionKey } from "#core/routing/session-key.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { agentStub, sessionStub } from "#wiring/stubs.ts";
import { describeError } from "#kit/redact.ts";

const TEXT =
  "Hello! I am somebody's private assistant and only answer people its owner has let in. Please ask the owner.";

/**
 * Tells a stranger, once, that this assistant is private. The agent remembers whom it was told; the
 * stranger's own session sends it under a key, so not even a crash in between says it twice.
 */
export async function greetStranger(env: Env, message: ParsedMessage): Promise<void> {
  const { runtime, log } = loadRuntime(env);
  const { channel, account, route, sender } = message;
  const agentId = runtime.config.agents.default;
  const who = { channel, account, peer: sender.id };
  const agent = agentStub(env, agentId);
  try {
    if (!(await agent.claimNotice(who))) return;
    const scope = { kind: "direct", channel, account, peer: sender.id } as const;
    const session = sessionStub(env, buildSessionKey({ agentId, scope }));
    await session.deliverNotice({ text: TEXT, route }, "stranger");
    await agent.markNotice(who);
  } catch (error) {
    log.warn("stranger.not_told", { channel, error: describeError(error) });
  }
}
