/**
 * The notes an entry of memory carries in its own line, as HTML comments: `<!-- importance: 7 -->`,
 * `<!-- trigger: dentist, teeth -->`, `<!-- observed: 2026-05-03 | status: active -->`. They are read
 * here and taken out of what is searched, shown and compared. A note that cannot be read says nothing.
 */
export interface EntryNotes {
  /** 1 to 10; null = neutral. */
  readonly importance: number | null;
  readonly triggers: readonly string[];
  /** Projects it is about; an unreadable one becomes `noProject`, which none is called. */
  readonly projects: readonly string[];
  /** Day it was observed (YYYY-MM-DD). */
  readonly observed: string | null;
  readonly status: "active" | "superseded" | null;
  /** Where dreaming has it from. */
  readonly from: string | null;
  /** Entries with the same key replace each other. */
  readonly key: string | null;
}

/** Matches no project: an entry whose project cannot be read must not become everybody's. */
export const noProject = "!";

export const noNotes: EntryNotes = {
  importance: null,
  triggers: [],
  projects: [],
  observed: null,
  status: null,
  from: null,
  key: null,
};

/**
 * A comment that opens with a name we know. Others are part of the text: they are the owner's. Bounded,
 * and begun only where no space stands before it, so that no text makes the search slow.
 */
const NOTE =
  /(?<![ \t])[ \t]*<!--\s{0,9}(?:importance|trigger|project|observed|status|from|key)\s{0,9}:[^\n]{0,1000}?-->/giu;
const MAX_TRIGGERS = 24;

/** The text without its notes. Spaces that only set a note apart go with it. */
export function stripNotes(text: string): string {
  if (!text.includes("<!--")) return text;
  return text.replace(NOTE, "");
}

export function readNotes(text: string): EntryNotes {
  if (!text.includes("<!--")) return noNotes;
  const fields = [...text.matchAll(NOTE)].flatMap(([note]) => fieldsOf(note));
  if (fields.length === 0) return noNotes;
  const all = (name: string) => fields.filter((field) => field.name === name);
  const last = (name: string) => all(name).at(-1)?.value ?? null;
  return {
    importance: highest(all("importance").map(({ value }) => value)),
    triggers: listed(all("trigger")).slice(0, MAX_TRIGGERS),
    projects: [...new Set(all("project").map(({ value }) => projectKey(value)))],
    observed: day(last("observed")),
    status: statusOf(last("status")),
    from: last("from"),
    key: last("key")?.toLowerCase() ?? null,
  };
}

interface Field {
  readonly name: string;
  readonly value: string;
}

/** `observed: 2026-05-03 | status: active` has two. */
function fieldsOf(note: string): Field[] {
  return note
    .trimStart()
    .slice(4, -3)
    .split("|")
    .flatMap((part) => {
      const colon = part.indexOf(":");
      if (colon < 0) return [];
      const value = part.slice(colon + 1).trim();
      return [{ name: part.slice(0, colon).trim().toLowerCase(), value }];
    });
}

function highest(values: readonly string[]): number | null {
  const numbers = values.filter((value) => /^(?:[1-9]|10)$/.test(value)).map(Number);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

function listed(fields: readonly Field[]): string[] {
  const parts = fields.flatMap(({ value }) => value.split(/[,;、，；]/u));
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ""))];
}

function projectKey(value: string): string {
  const key = value.toLowerCase();
  return /^[\p{L}\p{N}][\p{L}\p{N}._/:@~-]{0,199}$/u.test(key) ? key : noProject;
}

function day(value: string | null): string | null {
  return value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
}

function statusOf(value: string | null): EntryNotes["status"] {
  const status = value?.toLowerCase();
  return status === "active" || status === "superseded" ? status : null;
}
