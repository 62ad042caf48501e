import type { JournalRow, Turn } from "#contract/turn.ts";
import type { MessageReceipt, MessageTarget, ToolContext } from "#contract/tool.ts";
import type { OutboundMessage } from "#contract/message.ts";
import { onlyOwnersRead } from "#core/agent/readers.ts";
import type { CallScope } from "#core/agent/tool-call.ts";
import { prepare } from "#core/delivery/outbox.ts";
import { wrapExternal } from "#kit/external-content.ts";
import { egress } from "#kit/egress.ts";
import { commit } from "#core/state/fence.ts";
import { isMemoryOff } from "#core/state/memory-switch.ts";
import { describeSession } from "#core/state/status.ts";
import type { Run } from "./run.ts";
import { frameId, frameSecret } from "./frame.ts";
import { isOwnTurn } from "./own-turn.ts";
import { withoutMemory } from "./without-memory.ts";
import { turnForgetting } from "./turn-forgetting.ts";
import { turnMemory } from "./turn-memory.ts";
import { noticingProjects } from "./projects.ts";
import { windowIsTainted } from "./taint.ts";

/** What the calls of one step may touch, and how far. */
export async function toolScope(run: Run): Promise<CallScope> {
  const { ports, turn, signal } = run;
  const tainted = windowIsTainted(run.ports, run.turn);
  const model = ports.models.resolve(turn.detail.model);
  return {
    signal,
    timeoutMs: ports.config.limits.toolSeconds * 1000,
    timers: ports.timers,
    log: ports.log,
    contextWindow: model.ok ? model.value.info.contextWindow : 32_000,
    contextFor: (row, callSignal) => contextOf(run, row, { signal: callSignal, tainted }),
  };
}

function contextOf(
  run: Run,
  row: JournalRow,
  window: { readonly signal: AbortSignal; readonly tainted: boolean },
): ToolContext {
  const { ports, turn } = run;
  const { signal } = window;
  const tainted = window.tainted || hasForeignAnswer(turn, row);
  const operationId = `${turn.id}:${row.step}.${row.position}`;
  return {
    operationId,
    sessionKey: ports.key,
    sender: turn.detail.sender,
    interactiveOwner: isOwnTurn(turn),
    tainted,
    now: ports.now(),
    signal,
    workspace: noticingProjects(
      isMemoryOff(ports) ? withoutMemory(ports.agent.workspace) : ports.agent.workspace,
      run,
      tainted,
    ),
    memory: turnMemory(run, operationId, tainted),
    forgetting: turnForgetting(run, operationId),
    ...answerFor(turn, row),
    frame: (text, part) =>
      wrapExternal(text, frameId(frameSecret(ports), `${operationId}:${part}`)),
    intents: ports.agent.intents,
    session: {
      describe: () => describeSession(ports, onlyOwnersRead(turn.detail)),
      list: (limit) => ports.agent.listSessions(limit),
      async history(sessionKey, request) {
        // Only those the agent knows as its own.
        const entry = await ports.agent.findSession(sessionKey);
        return entry ? ports.peers.history(entry.sessionKey, request) : null;
      },
    },
    sendMessage: (message, target) => sendMessage(run, operationId, message, target),
  };
}

function answerFor({ detail: { answered } }: Turn, row: JournalRow): Pick<ToolContext, "answer"> {
  const isIts = answered?.step === row.step && answered.position === row.position;
  return isIts ? { answer: { text: answered.text, own: answered.own } } : {};
}

/** The answer this call goes by was not, or not all, the person's own words. */
export function hasForeignAnswer(turn: Turn, row: JournalRow): boolean {
  return answerFor(turn, row).answer?.own === false;
}

/** Says something now: here, as an interim word of this turn, or in another conversation. */
async function sendMessage(
  { ports, runner, turn }: Run,
  operationId: string,
  written: OutboundMessage,
  target: MessageTarget,
): Promise<MessageReceipt> {
  const { text } = egress(written.text, "chat");
  if (text === "") return { ok: false, reason: "There are no words in it that may be shown." };
  const message = { ...written, text };
  if ("here" in target) {
    const { route } = turn.detail;
    const parts = commit(ports, runner, turn.id, () =>
      prepare(ports, { key: operationId, turnId: turn.id, message, route }),
    );
    ports.live.emit(turn.id, { type: "text-end", text: message.text });
    return parts > 0
      ? { ok: true, description: "Queued for this conversation." }
      : { ok: false, reason: "This conversation cannot be written to." };
  }
  const entry = await ports.agent.findSession(target.sessionKey);
  if (!entry) return { ok: false, reason: `No conversation "${target.sessionKey}" is known.` };
  const delivered = await ports.peers.deliver(entry.sessionKey, message, operationId);
  return delivered.ok
    ? { ok: true, description: delivered.value }
    : { ok: false, reason: delivered.error };
}
