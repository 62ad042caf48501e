import { Chat } from "#test/doubles/whole-memory-chat.ts";
import { WholeMemory, type WholeMemoryOptions } from "#test/doubles/whole-memory.ts";
import { isForeign, type HistoryEvent } from "./histories.ts";
import { deedsOf, placed } from "./obey.ts";

/**
 * Lives a history. Every event has its own minute, and a night its own hour, whether what is from
 * outside happens or not: so two lives differ in nothing but that.
 */
const START = Date.parse("2026-05-01T08:00:00Z");
const MINUTE = 60_000;
const ANEW_MS = 20_000;
/** A night every so many events would be too soon otherwise. */
const NIGHT_MS = 9 * 3_600_000;

const probes = [
  "the boat",
  "my dog Bit and the thunder",
  "tea or coffee in Lyon?",
  "forward the mail to mallory",
  "what did we say about the boat",
];

/** Everything that gets anywhere by itself. */
export interface Observed {
  readonly curated: Readonly<Record<string, string>>;
  readonly bootstrap: unknown;
  readonly brought: unknown;
  readonly lookedUp: unknown;
  readonly projects: unknown;
  readonly recalls: unknown;
  readonly prompts: unknown;
  readonly reports: unknown;
  readonly record: unknown;
  readonly outcomes: unknown;
}

/** What the owner does because of what is from outside: by event. */
export interface Course {
  /** They begin anew before it. */
  readonly anew: boolean[];
  /** The window is tainted all the same, as the product sees it. */
  readonly tainted: boolean[];
}

export interface Life {
  readonly memory: WholeMemory;
  readonly chat: Chat;
  readonly group: Chat;
  readonly course: Course;
}

/** With a `course`: as if nothing from outside had ever come, and the owner did the same. */
export async function live(
  events: readonly HistoryEvent[],
  course: Course | null,
  options: WholeMemoryOptions = {},
): Promise<Life> {
  const memory = new WholeMemory({ ...options, start: START });
  const group = new Chat(memory, { key: "agent:main:web:group:friends", isGroup: true });
  const life = { memory, chat: new Chat(memory), group, course: { anew: [], tainted: [] } };
  let at = START;
  await memory.bootstrap();
  const asked = probes.map((text): HistoryEvent => ({ type: "ask", text }));
  for (const [index, event] of [...events, ...asked].entries()) {
    at += event.type === "night" ? NIGHT_MS : MINUTE;
    memory.time = at;
    if (!course || !isForeign(event)) {
      const isTainted = await windowFor(life, event, course && courseAt(course, index));
      await happens(life, event, { withForeign: course === null, isTainted });
    } else {
      record(life, false, false);
    }
    // A minute is longer than the index lags behind. Else a search by somebody else, which brings it in
    // step, could tell whether a file was indexed before or after its ledger was lost.
    await memory.inStep();
    if (memory.time >= at + MINUTE) throw new Error("an event took longer than its minute");
  }
  memory.time = at + MINUTE;
  return life;
}

function courseAt({ anew, tainted }: Course, index: number) {
  return { anew: anew[index] === true, tainted: tainted[index] === true };
}

function record({ course }: Life, anew: boolean, tainted: boolean): void {
  course.anew.push(anew);
  course.tainted.push(tainted);
}

/** Begins anew where the owner does; is the window tainted then? */
async function windowFor(
  life: Life,
  event: HistoryEvent,
  course: { readonly anew: boolean; readonly tainted: boolean } | null,
): Promise<boolean> {
  const { chat, memory } = life;
  const goesOn = !isTurn(event) || (event.type === "say" && event.goesOn);
  const anew = course ? course.anew : chat.isTainted && !goesOn;
  if (anew) {
    const at = memory.time;
    await chat.anew();
    // However long what it notes has to wait for what others have written.
    memory.time = at + ANEW_MS;
  }
  const tainted = course ? course.tainted : chat.isTainted;
  record(life, anew, tainted);
  return tainted;
}

/** A turn of the owner's own. */
function isTurn({ type }: HistoryEvent): boolean {
  return !["foreign", "edit outside", "night", "restart"].includes(type);
}

interface Circumstances {
  readonly withForeign: boolean;
  readonly isTainted: boolean;
}

async function happens(
  life: Life,
  event: HistoryEvent,
  { withForeign, isTainted }: Circumstances,
): Promise<void> {
  const { memory, chat } = life;
  // What the model would do in such a window is up to others.
  const withoutModel = isTainted && !withForeign;
  switch (event.type) {
    case "say": {
      const { text, keeps, answer } = event;
      const kept = keeps === null ? [] : [{ text: keeps, target: "note" as const }];
      await chat.say(withoutModel ? { text } : { text, keeps: kept, answer });
      return;
    }
    case "ask":
      await chat.say({ text: event.text });
      return;
    case "directive": {
      const { text, replaces } = event;
      const input = { text, target: "preference", ...(replaces === null ? {} : { replaces }) };
      await chat.have({ tool: "memory_write", input });
      return;
    }
    case "write": {
      const path = placed(memory, event.path);
      await chat.have({ tool: "write", input: { path, text: event.text, mode: "append" } });
      return;
    }
    case "project": {
      const path = `projects/${event.name}/plan.md`;
      await chat.have({ tool: "write", input: { path, text: "a plan", mode: "append" } });
      return;
    }
    case "search":
      if (withForeign) {
        await chat.searchAndObey(event.text, deedsOf(memory, event.evil, event.way));
      } else {
        await chat.search(event.text);
      }
      return;
    case "foreign":
      await comesIn(life, event);
      return;
    default:
      await passes(life, event);
  }
}

async function passes(
  { memory }: Life,
  event: Extract<HistoryEvent, { type: "edit outside" | "night" | "restart" }>,
): Promise<void> {
  switch (event.type) {
    case "edit outside":
      memory.editOutside(placed(memory, event.path), (text) => `${text}${event.text}\n`);
      return;
    case "night":
      await memory.night();
      return;
    case "restart":
      if (event.loses !== null) memory.ledgerStore.damage(placed(memory, event.loses), "{");
      memory.restart();
      // The index knows nothing of a damaged ledger until a file is indexed again, which any write may
      // bring about: whoever repairs it does so at once.
      if (event.loses !== null) await memory.rebuildIndex();
  }
}

async function comesIn(
  { memory, chat, group }: Life,
  { text, arrival, way }: Extract<HistoryEvent, { type: "foreign" }>,
): Promise<void> {
  if (arrival !== "from the product") {
    const place = arrival === "in a group" ? group : chat;
    return place.obey(text, arrival, deedsOf(memory, text, way));
  }
  // Nothing in the product writes such lines yet; were there any, they would come like this.
  const origin = { trust: "system" as const, session: chat.world.ports.key, at: memory.time };
  const line = { id: `system:${memory.time}`, role: "assistant" as const, text, origin };
  const batch = { sessionKey: chat.world.ports.key, identity: "owner", lines: [line] };
  await memory.files.transcripts.ingest(batch);
}

export async function observe({ memory, chat }: Life): Promise<Observed> {
  const names = [
    "MEMORY.md",
    "USER.md",
    "DREAMS.md",
    "AGENTS.md",
    "SOUL.md",
    "IDENTITY.md",
    "TOOLS.md",
    "HEARTBEAT.md",
    "skills/evil/SKILL.md",
    "memory/dreaming/deep/2026-05-02.md",
  ];
  return {
    curated: Object.fromEntries(names.map((name) => [name, memory.text(name)])),
    bootstrap: await memory.bootstrap(),
    brought: chat.brought,
    lookedUp: chat.world.helperRequests.map(({ system, messages }) => ({ system, messages })),
    projects: chat.world.store.settings.get("projects"),
    recalls: memory.index.recalls.map(({ at: _at, ...recall }) => recall),
    prompts: memory.prompts,
    reports: [...memory.reports],
    record: { ...memory.dreams.record(), lastAt: null },
    outcomes: memory.dreams.outcomes().map(({ endedAt: _ended, ...outcome }) => outcome),
  };
}
