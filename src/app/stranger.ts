import type { ParsedMessage } from "#contract/message.ts";
import { buildSessionKey } from "#core/routing/session-key.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { agentStub, sessionStub } from "#wiring/stubs.ts";
import { describeError } from "#kit/redact.ts";

/**
 * Tells a stranger, once, that this assistant is private, and under which id it knows them: whoever has
 * just set it up is a stranger too, and needs that id. The agent remembers whom it was told; the
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
    const text = strangerText(`${route.channel}:${sender.id}`);
    await session.deliverNotice({ text, route }, "stranger");
    await agent.markNotice(who);
  } catch (error) {
    log.warn("stranger.not_told", { channel, error: describeError(error) });
  }
}

/** `id` in the form that OWNERS takes. */
function strangerText(id: string): string {
  return [
    "Hello! I am somebody's private assistant and only answer people its owner has let in.",
    `Your id here is \`${id}\`. If this assistant is yours, put that into OWNERS; otherwise ask its owner.`,
  ].join("\n");
}
