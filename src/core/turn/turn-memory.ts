import type { NoteEntry } from "#contract/memory.ts";
import type { MemoryEntry, MemoryReceipt, TurnMemory } from "#contract/tool.ts";
import type { LineOrigin } from "#contract/provenance.ts";
import { isClean } from "#contract/transcript.ts";
import { memoryIdentity } from "#core/agent/memory-access.ts";
import { captureEntries } from "#core/memory/capture.ts";
import { changeDirective } from "#core/memory/change-directive.ts";
import { toldText, wishesToKeep } from "#core/memory/foreign-words.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import { activeProjects } from "#core/state/projects.ts";
import { setSetting } from "#core/state/settings.ts";
import { mayChange } from "#kit/protected-paths.ts";
import { redact } from "#kit/redact.ts";
import type { Run } from "./run.ts";
import { isOwnTurn } from "./own-turn.ts";
import { ownWordsOf } from "./own-words.ts";

/**
 * The agent's memory as one call of one turn sees it. What a line's class is, and which words are the
 * owner's, is decided here from facts of the turn, never by what the model says.
 */
export function turnMemory(run: Run, operationId: string, tainted: boolean): TurnMemory {
  const { ports, turn } = run;
  const { memory } = ports.agent;
  const asker = {
    sessionKey: ports.key,
    identity: memoryIdentity(memoryRules(ports, turn.detail.route), turn.detail),
    counts: isOwnTurn(turn) && !tainted,
  };
  return {
    search: (query) => memory.search({ ...query, projects: activeProjects(ports), asker }),
    read: (place) => memory.read({ ...place, asker }),
    async write(entry) {
      const receipt = await writeEntry(run, entry, { operationId, tainted });
      // Whether the owner's next messages come with a reminder is not for outside text to decide.
      if (receipt.ok && isOwnTurn(turn) && !tainted) {
        setSetting(ports.store.settings, "sinceRemembered", 0);
      }
      return receipt;
    },
  };
}

interface Call {
  readonly operationId: string;
  readonly tainted: boolean;
}

const WHILE_TAINTED =
  "USER.md was left alone: content from outside is in this conversation, and it must not shape that file. It is in the notes instead; the owner can have it made a directive after /new.";

async function writeEntry(run: Run, entry: MemoryEntry, call: Call): Promise<MemoryReceipt> {
  const text = redact(entry.text).trim();
  if (entry.target === "note") return writeNote(run, text, call);
  const interactiveOwner = isOwnTurn(run.turn);
  const allowed = mayChange("USER.md", "rewrite", { interactiveOwner, tainted: call.tainted });
  if (allowed.ok) return writeDirective(run, { ...entry, text }, call);
  const noted = await writeNote(run, text, call);
  return noted.ok ? { ok: true, description: `${noted.description} ${WHILE_TAINTED}` } : noted;
}

async function writeNote(run: Run, text: string, call: Call): Promise<MemoryReceipt> {
  const { ports, turn } = run;
  const { operationId } = call;
  const receipt = await ports.agent.memory.note({
    operationId,
    at: turn.startedAt,
    entries: noteEntries(run, { text, author: authorOf(run, call) }),
  });
  if (!receipt.ok) return receipt;
  const { path, added } = receipt;
  return {
    ok: true,
    description: added ? `Noted in ${path}.` : `That stands in ${path} already.`,
  };
}

/**
 * What an owner asked to have kept, in their own words beside the model's: so it counts as theirs. Where
 * the model may write on somebody else's behest, it is what is kept of the words by rule in any case
 * (core/session/capture-new.ts), so that nothing of the owner's depends on whether the model writes.
 */
function noteEntries({ ports, turn }: Run, entry: Omit<NoteEntry, "words">): NoteEntry[] {
  const own = ownWordsOf(ports, turn);
  const asked = own.filter(({ text }) => wishesToKeep(text));
  if (isClean(entry.author.trust)) {
    const words = asked.map(({ text, origin }) => ({ text: redact(toldText(text)), origin }));
    return [{ ...entry, words }];
  }
  const captured = ports.config.memory.autoCapture ? own : asked;
  return [entry, ...captured.flatMap(captureEntries)];
}

async function writeDirective(run: Run, entry: MemoryEntry, call: Call): Promise<MemoryReceipt> {
  const { ports, turn } = run;
  const file = await ports.agent.workspace.read("USER.md");
  const day = { at: turn.startedAt, timeZone: ports.timeZone };
  const change = changeDirective(file?.text ?? "", entry, day);
  if (!change.ok) return { ok: false, reason: change.error };
  if (change.value === null) return { ok: true, description: "That is a directive already." };
  const result = await ports.agent.workspace.apply({
    operationId: call.operationId,
    path: "USER.md",
    change: change.value,
    authority: {
      kind: "turn",
      interactiveOwner: isOwnTurn(turn),
      tainted: call.tainted,
    },
    author: authorOf(run, call),
  });
  return result.ok ? { ok: true, description: "It is a directive in USER.md now." } : result;
}

/** What nobody has just asked for where only owners read is not to be trusted either. */
function authorOf({ ports, turn }: Run, { tainted }: Call): LineOrigin {
  const trusted = !tainted && isOwnTurn(turn);
  return { trust: trusted ? "agent" : "untrusted", session: ports.key, at: turn.startedAt };
}
