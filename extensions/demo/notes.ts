/**
 * Which files the notes are read from. Finding the newest days takes a look at the folder first; what
 * nights report of themselves there is no note.
 */

/** Where facts about the owner are. The assistant's own instructions would match every other word. */
export const notes = ["USER.md", "MEMORY.md", "memory"];

/** Every line that says something: no heading, comment, or form nobody has filled in. */
export const anything = String.raw`^\s*[^#<\s].*[^:\s]\s*$`;

export function isNote(path: string): boolean {
  return !path.startsWith("memory/dreaming/");
}

const newestDays = 3;
const otherNotes = 3;

/** Out of `memory`, as ls lists it: the newest days, what is curated, then notes with other names. */
export function notePaths(listing: string | null): readonly string[] {
  if (listing === null) return notes;
  const names = listing.split("\n").flatMap((line) => /^(\S+\.md) \(/.exec(line)?.[1] ?? []);
  const days = names.filter((name) => /^\d{4}-\d{2}-\d{2}/.test(name)).toSorted(byDayAndPart);
  const others = names.filter((name) => !days.includes(name));
  const inside = (some: readonly string[]) => some.map((name) => `memory/${name}`);
  return [
    ...inside(days.slice(0, newestDays)),
    "MEMORY.md",
    "USER.md",
    ...inside(others.slice(0, otherNotes)),
  ];
}

/** The newest first; of a day, whose first note has no number, the further ones before it. */
function byDayAndPart(one: string, other: string): number {
  const key = (name: string) => name.replace(/\.md$/, "");
  return key(one) < key(other) ? 1 : -1;
}
