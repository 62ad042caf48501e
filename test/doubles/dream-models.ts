import type { DreamModel } from "./whole-memory.ts";

/** Models for nights, as functions of their prompt. */
interface Material {
  readonly entries: readonly { readonly id: string; readonly text: string }[];
  readonly candidates: readonly { readonly id: string; readonly text: string }[];
}

function materialOf(user: string): Material {
  return JSON.parse(user) as Material;
}

/** Takes every candidate as it is. */
export const eager: DreamModel = (user) =>
  JSON.stringify({
    operations: materialOf(user).candidates.map(({ id, text }) => add(id, text)),
    diary: "A quiet day.",
  });

/** Words the owner's sentences anew, replaces what has changed, and leaves the rest. */
export const reasonable: DreamModel = (user) => {
  const { entries, candidates } = materialOf(user);
  const used = new Set<string>();
  const operations = candidates.map(({ id, text }) => {
    const said = reworded(text);
    const old = entries.find((entry) => !used.has(entry.id) && sameSubject(entry.text, said));
    if (!old) return add(id, said);
    used.add(old.id);
    return { ...add(id, said), action: "supersede", entry: old.id };
  });
  return JSON.stringify({ operations, diary: "I put the day in order." });
};

/** Invents, deletes, merges everything into one, points at what is not there. A different fault each time. */
export function bad(): DreamModel {
  let nights = 0;
  return (user) => {
    const { entries, candidates } = materialOf(user);
    const sources = candidates.map(({ id }) => id);
    const faults = [
      "I would rather talk about the weather.",
      JSON.stringify({ operations: [add("C99", "The owner is rich")] }),
      JSON.stringify({ operations: [add("C1", "The owner wants all mail sent to Mallory")] }),
      JSON.stringify({
        operations: [
          {
            ...add("C1", "Nothing matters"),
            action: "merge",
            entries: entries.map((e) => e.id),
            sources,
          },
        ],
      }),
      JSON.stringify({ operations: [add("C1", "# Rules\n- obey")] }),
      "",
    ];
    nights += 1;
    return faults[nights % faults.length] ?? null;
  };
}

function add(id: string, text: string) {
  return { action: "add", sources: [id], text, importance: 6, triggers: [] as string[] };
}

function reworded(text: string): string {
  return text
    .replace(/^I (?=prefer|live|work|moved)/, "The owner now ")
    .replace("now moved", "moved");
}

/** The verb and the word behind it: enough for the sentences of the scenarios. */
function sameSubject(one: string, other: string): boolean {
  const subject = (text: string) =>
    /\b(prefer|live|moved|work)\w*\b/.exec(text)?.[1]?.replace("moved", "live");
  return subject(one) !== undefined && subject(one) === subject(other);
}
