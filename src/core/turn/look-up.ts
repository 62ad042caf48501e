import { isClean, type TranscriptEntry } from "#contract/transcript.ts";
import { toldText } from "#core/memory/foreign-words.ts";
import { memoryIdentity } from "#core/agent/memory-access.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { activeProjects } from "#core/state/projects.ts";
import { getSetting } from "#core/state/settings.ts";
import { escalate } from "./escalate.ts";
import { helperCall } from "./helper-call.ts";
import { isOwnTurn } from "./own-turn.ts";
import type { Run } from "./run.ts";
import { windowIsTainted } from "./taint.ts";

/** The search before an answer, bounded in time, with the model of the turn. */
const TIME_MS = 15_000;
/** A message that is tried again at once finds the same. */
const KEPT_MS = 15_000;
const RECENT_CHARS = 1_500;
const FULL_CHARS = 6_000;
const MAX_OUTPUT_TOKENS = 300;

/** Null: nothing that helps, or not in time. */
export async function lookUp(
  run: Run,
  model: ResolvedModel,
  question: string,
): Promise<string | null> {
  const { ports, turn } = run;
  const identity = memoryIdentity(memoryRules(ports, turn.detail.route), turn.detail);
  // Whose past this would be cannot be told: then it is nobody's.
  if (identity === null) return null;
  const kept = ports.live.lookedUp;
  const isKept = kept?.question === question && kept.identity === identity;
  if (isKept && ports.now() - kept.at < KEPT_MS) return kept.found;
  let calls = 0;
  const found = await withinTime(run, (signal) =>
    escalate({
      question,
      conversation: conversationBefore(ports, run),
      projects: activeProjects(ports),
      style: ports.config.memory.recallStyle,
      asker: {
        sessionKey: ports.key,
        identity,
        counts: isOwnTurn(turn) && !windowIsTainted(ports, turn),
      },
      memory: ports.agent.memory,
      signal,
      ask: (request) => {
        calls += 1;
        const name = `recall.${calls}`;
        const limits = { maxOutputTokens: MAX_OUTPUT_TOKENS, signal };
        return helperCall(ports, turn, model, { ...request, name, ...limits });
      },
    }),
  );
  ports.live.lookedUp = { question, identity, at: ports.now(), found };
  return found;
}

async function withinTime<T>(
  { ports, signal }: Run,
  work: (signal: AbortSignal) => Promise<T | null>,
): Promise<T | null> {
  const time = new AbortController();
  const over = Promise.withResolvers<null>();
  const cancel = ports.timers.after(TIME_MS, () => {
    time.abort();
    over.resolve(null);
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, time.signal])), over.promise]);
  } finally {
    cancel();
  }
}

/** The latest words of owner and assistant; nothing from outside, nor what the owner quotes. */
function conversationBefore(ports: SessionPorts, { turn }: Run): string {
  const mode = ports.config.memory.recallFrom;
  if (mode === "message") return "";
  const from = getSetting(ports.store.settings, "historyFrom") ?? 0;
  const now = new Set([turn.id, ...(turn.detail.retries ?? [])]);
  const lines = ports.store.transcript
    .since(turn.sessionId, from)
    .filter(({ trust, turnId }) => isClean(trust) && !now.has(turnId ?? ""))
    .flatMap(lineOf);
  const text = lines.join("\n");
  return text.slice(-(mode === "recent" ? RECENT_CHARS : FULL_CHARS)).toWellFormed();
}

function lineOf(entry: TranscriptEntry): string[] {
  if (entry.role !== "user" && entry.role !== "assistant") return [];
  const said = entry.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  const text = entry.role === "user" ? toldText(said) : said;
  return text.trim() === "" ? [] : [`${entry.role === "user" ? "Owner" : "Assistant"}: ${text}`];
}
