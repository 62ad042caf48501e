import { nearest } from "#kit/nearest.ts";

/**
 * Lines of `.dev.vars` that do nothing because their name is almost, but not quite, a setting's: a key
 * that is never read looks like one that is refused. Names that are near nothing are somebody's own
 * business, and so are those that the configuration asks for. What only the commands read, before there is a
 * Worker, does nothing there either.
 */
export interface NamesInUse {
  /** All the settings there are. */
  readonly known: readonly string[];
  /** What PAGURUS_CONFIG holds; `${NAME}` in it reads a variable. */
  readonly config: string;
}

const ENVIRONMENT_ONLY = ["PORT", "PAGURUS_URL"];

/** Sentences for whoever wrote the file; names only, never values. */
export function misspeltNames(names: readonly string[], { known, config }: NamesInUse): string[] {
  const asked = new Set(Array.from(config.matchAll(/\$\{([^}]*)\}/g), ([, name]) => name?.trim()));
  return names.flatMap((name) => {
    if (known.includes(name) || asked.has(name)) return [];
    if (ENVIRONMENT_ONLY.includes(name)) {
      return [`${name} in .dev.vars does nothing: it is read from your environment only.`];
    }
    const meant = withWordLeftOut(name, known) ?? nearest(name, known);
    return meant === undefined
      ? []
      : [`${name} in .dev.vars is no setting, so it does nothing. Did you mean ${meant}?`];
  });
}

/** `OPENAI_KEY` is nearer to OPENAI_API_KEY than to the shorter OPENAI_API, whatever letters say. */
function withWordLeftOut(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name);
  if (words.length < 2) return undefined;
  return known.find((candidate) => {
    const theirs = wordsOf(candidate);
    return theirs[0] === words[0] && words.every((word) => theirs.includes(word));
  });
}

function wordsOf(name: string): string[] {
  return name.toUpperCase().split("_");
}
