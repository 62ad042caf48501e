import type { CuratedEntry } from "#contract/agent-port.ts";
import type { Turn } from "#contract/turn.ts";
import { memoryAccess } from "#core/agent/memory-access.ts";
import { toldText, wishesToKeep } from "#core/memory/foreign-words.ts";
import { fitting, touchedDirectives } from "#core/memory/touched-directives.ts";
import { intentsIn } from "#core/memory/intent.ts";
import { asksForRecall } from "#core/memory/recall-request.ts";
import { matchTriggers } from "#core/memory/trigger.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import { commit } from "#core/state/fence.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { activeProjects } from "#core/state/projects.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { describeError } from "#kit/redact.ts";
import { lookUp } from "./look-up.ts";
import { isOwnTurn } from "./own-turn.ts";
import { ownWordsOf } from "./own-words.ts";
import { recentNotes } from "./recent-notes.ts";
import type { Run } from "./run.ts";

/**
 * What a message brings to mind before its first model call: trusted entries of the curated files,
 * directives it touches, standing intents, and, if it asks for something from before, what a short
 * search finds. Only an owner's own words in a direct chat bring up anything. It goes into the prompt
 * beside the message and is never part of the conversation, so nothing of it is ever learnt again. No
 * part of it can fail a turn or hold it up for longer than its time.
 */
const TRIGGER_ROOM = 1_800;
/** A quiet word to the model after so many messages without anything kept. */
const NUDGE_AFTER = 10;

/** The turn as it goes on: with what was recalled, written down so that every step shows the same. */
export async function recall(run: Run, model: ResolvedModel): Promise<Turn> {
  const { ports, turn } = run;
  if (!isAsked(ports, turn)) return turn;
  const words = ownWordsOf(ports, turn);
  if (words.every(({ text }) => text.trim() === "")) return turn;
  // What they quote or paste in it is somebody else's, and might bring up what is then acted on.
  const said = words
    .map(({ text }) => toldText(text))
    .join("\n")
    .trim();
  const recalled = [...(await broughtToMind(run, model, said)), ...nudge(ports)].join("\n\n");
  if (recalled === "") return turn;
  const detail = { ...turn.detail, recalled };
  return commit(ports, run.runner, turn.id, (current) => {
    ports.store.turns.update(turn.id, { detail: { ...current.detail, recalled } });
    return { ...turn, detail };
  });
}

function isAsked(ports: SessionPorts, turn: Turn): boolean {
  const { step, detail } = turn;
  if (step !== 1 || !isOwnTurn(turn) || detail.recalled !== undefined) return false;
  return memoryAccess(memoryRules(ports, detail.route), detail).read;
}

async function broughtToMind(run: Run, model: ResolvedModel, said: string): Promise<string[]> {
  const { ports } = run;
  const bootstrap = ports.live.bootstrap;
  const curated = bootstrap?.curated ?? [];
  const projects = activeProjects(ports);
  const memory = curated.filter(({ path, active }) => active && !isAboutTheOwner(path));
  const triggered = matchTriggers(said, memory, projects).map(({ entry }) => entry.text);
  const directives = touchedDirectives(
    said,
    curated.filter(({ path }) => isAboutTheOwner(path)),
  );
  const notes = await recentNotes(run);
  const found = await searched(run, model, { said, strong: triggered.length > 0 });
  return [
    ...section("# From your memory, for this message", fitting(triggered, TRIGGER_ROOM)),
    ...section("# Found in your notes and past conversations", found === null ? [] : [found]),
    ...notes.map((text) => `# Your notes of yesterday and today\n${text}`),
    ...section("# Directives of the owner that this touches", directives),
    ...section(
      "# Standing intents that this brings up (act on them now; when one is settled, close it with the intent tool)",
      await intentsOf(run, said),
    ),
  ];
}

/** The file that is about the owner, and so belongs to no project. */
function isAboutTheOwner(path: CuratedEntry["path"]): boolean {
  return path === "USER.md";
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[title, ...lines.map((line) => `- ${line}`)].join("\n")];
}

/** Which of them may come up is the agent's to say; without it none does. */
async function intentsOf({ ports, turn }: Run, said: string): Promise<string[]> {
  const armed = ports.live.bootstrap?.intents ?? [];
  const near = intentsIn(said, armed, ports.now());
  if (near.length === 0) return [];
  try {
    const fired = await ports.agent.intents.fire(
      near.map(({ id }) => id),
      turn.id,
    );
    return fired.map(({ id, when, action }) => `${id}: when ${when}: ${action}`);
  } catch (error) {
    ports.log.warn("recall.intents_failed", { turn: turn.id, error: describeError(error) });
    return [];
  }
}

async function searched(
  run: Run,
  model: ResolvedModel,
  { said, strong }: { readonly said: string; readonly strong: boolean },
): Promise<string | null> {
  const mode = run.ports.config.memory.recall;
  // "Remember that …" tells something, whatever else is in it.
  const asks = asksForRecall(said) && !wishesToKeep(said);
  const wanted = mode === "always" || (mode === "escalate" && !strong && asks);
  if (!wanted || said === "" || model.info.scripted) return null;
  try {
    return await lookUp(run, model, said);
  } catch (error) {
    if (run.signal.aborted) throw error;
    run.ports.log.warn("recall.search_failed", { turn: run.turn.id, error: describeError(error) });
    return null;
  }
}

function nudge({ store: { settings } }: SessionPorts): string[] {
  const since = (getSetting(settings, "sinceRemembered") ?? 0) + 1;
  setSetting(settings, "sinceRemembered", since);
  if (since % NUDGE_AFTER !== 0) return [];
  return [
    "# Reminder\nNothing of this conversation has been kept for a while. If something lasts (a fact, a decision, a preference), write it down; else ignore this and do not mention it.",
  ];
}
