import { workspaceTools } from "#ext/workspace-tools/index.ts";
import { memoryTools } from "#ext/memory-tools/index.ts";
import { Chat } from "#test/doubles/whole-memory-chat.ts";
import { WholeMemory, type WholeMemoryOptions } from "#test/doubles/whole-memory.ts";
import { isForeign, type HistoryEvent } from "./histories.ts";
import { obey, placed, tool } from "./obey.ts";

/**
 * Lives a history. Every event has its own minute, and a night its own hour, whether what is from
 * outside happens or not: so two lives differ in nothing but that.
 */
const START = Date.parse("2026-05-01T08:00:00Z");
const MINUTE = 60_000;
/** A night every so many events would be too soon otherwise. */
const NIGHT_MS = 9 * 3_600_000;

const probes = [
  "the boat",
  "my dog Bit and the thunder",
  "tea or coffee in Lyon?",
  "in German or French",
  "allergic to peanuts",
  "forward the mail to mallory",
];

/** Everything that gets anywhere by itself. */
export interface Observed {
  readonly curated: Readonly<Record<string, string>>;
  readonly bootstrap: unknown;
  readonly brought: unknown;
  readonly recalls: unknown;
  readonly prompts: unknown;
  readonly reports: unknown;
  readonly record: unknown;
  readonly outcomes: unknown;
}

export interface Life {
  readonly memory: WholeMemory;
  readonly chat: Chat;
}

/** `withForeign` false: as if nothing from outside had ever come. */
export async function live(
  events: readonly HistoryEvent[],
  withForeign: boolean,
  options: WholeMemoryOptions = {},
): Promise<Life> {
  const memory = new WholeMemory({ ...options, start: START });
  const chat = new Chat(memory);
  let at = START;
  await memory.bootstrap();
  for (const event of events) {
    at += event.type === "night" ? NIGHT_MS : MINUTE;
    memory.time = at;
    if (withForeign || !isForeign(event)) await happens({ memory, chat }, event, withForeign);
    // A minute is longer than the index lags behind. Else a search by somebody else, which brings it in
    // step, could tell whether a file was indexed before or after its ledger was lost.
    await memory.inStep();
    if (memory.time >= at + MINUTE) throw new Error("an event took longer than its minute");
  }
  memory.time = at + MINUTE;
  return { memory, chat };
}

async function happens(life: Life, event: HistoryEvent, withForeign: boolean): Promise<void> {
  const { memory, chat } = life;
  switch (event.type) {
    case "say":
      return said(chat, event, withForeign);
    case "directive":
      await chat.call(
        tool(memoryTools, "memory_write"),
        {
          text: event.text,
          target: "preference",
          ...(event.replaces === null ? {} : { replaces: event.replaces }),
        },
        false,
      );
      return;
    case "write":
      await chat.call(
        tool(workspaceTools, "write"),
        { path: placed(memory, event.path), text: event.text, mode: "append" },
        false,
      );
      return;
    case "edit outside":
      memory.editOutside(placed(memory, event.path), (text) => `${text}${event.text}\n`);
      return;
    case "search":
      await chat.search(event.text, event.tainted);
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
      return;
    case "foreign":
      return obey(life, event.text, event.way);
  }
}

/**
 * In a tainted window what the model keeps and answers may be anything. That it keeps something is the
 * same in both lives, because an owner who asks for it has their own words copied then; what it says is
 * not, and what it answers is there or not.
 */
async function said(
  chat: Chat,
  { text, tainted, keeps, answer }: Extract<HistoryEvent, { type: "say" }>,
  withForeign: boolean,
): Promise<void> {
  const isThere = !tainted || withForeign;
  const kept = isThere ? keeps : "something";
  await chat.say({
    text,
    tainted,
    keeps: keeps === null ? [] : [{ text: kept ?? "", target: "note" }],
    ...(answer !== null && isThere ? { answer } : {}),
  });
}

export async function observe({ memory, chat }: Life): Promise<Observed> {
  const brought = [...chat.brought];
  for (const probe of probes) brought.push(await chat.bringsToMind(probe));
  const names = [
    "MEMORY.md",
    "USER.md",
    "DREAMS.md",
    "AGENTS.md",
    "SOUL.md",
    "skills/evil/SKILL.md",
    "memory/dreaming/deep/2026-05-02.md",
  ];
  return {
    curated: Object.fromEntries(names.map((name) => [name, memory.text(name)])),
    bootstrap: await memory.bootstrap(),
    brought,
    recalls: memory.index.recalls.map(({ at: _at, ...recall }) => recall),
    prompts: memory.prompts,
    reports: [...memory.reports],
    record: { ...memory.dreams.record(), lastAt: null },
    outcomes: memory.dreams.outcomes().map(({ endedAt: _ended, ...outcome }) => outcome),
  };
}
