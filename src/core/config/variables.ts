import type { ConfigProblem } from "#contract/runtime-config.ts";
import { formatPath, isBranch, removeKey, strings, valueAt, type DocumentPath } from "./tree.ts";

/**
 * `${VAR}` in the document. It is replaced in the settings of channel accounts and in the URL and the
 * headers of custom tools, nowhere else. A variable that is not set switches the feature off that
 * needs it, so the text "${VAR}" itself never goes anywhere as a key. Values are put in as they are
 * and not searched again.
 */
export interface Substitution {
  readonly problems: readonly ConfigProblem[];
  /** The values that were put in. */
  readonly secrets: readonly string[];
  /** Entries of `tools.custom` that are off, by their place in the document. */
  readonly brokenTools: ReadonlySet<number>;
}

const pattern = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Changes `document` in place. */
export function substituteVariables(
  document: unknown,
  variable: (name: string) => string | undefined,
): Substitution {
  const problems: ConfigProblem[] = [];
  const secrets = new Set<string>();
  const brokenTools = new Set<number>();
  for (const { path, text } of strings(document)) {
    const names = [...text.matchAll(pattern)].map((match) => match[1] ?? "");
    if (names.length === 0) continue;
    const feature = featureAt(path);
    if (feature === undefined) {
      problems.push(warning(path, "${…} is not replaced here and stays as it is written"));
      continue;
    }
    const missing = names.filter((name) => variable(name) === undefined);
    if (missing.length > 0) {
      const these = [...new Set(missing)].join(", ");
      problems.push(warning(path, `${these} is not set, so ${feature.what} is off`));
      if (feature.tool === undefined) removeKey(document, path.slice(0, 3), path[3] ?? "");
      else brokenTools.add(feature.tool);
      continue;
    }
    for (const name of names) secrets.add(variable(name) ?? "");
    replaceAt(
      document,
      path,
      text.replace(pattern, (_match, name: string) => variable(name) ?? ""),
    );
  }
  return { problems, secrets: [...secrets], brokenTools };
}

function featureAt(
  path: DocumentPath,
): { readonly what: string; readonly tool?: number } | undefined {
  const [section, name, third, fourth] = path;
  if (section === "channels" && third === "accounts" && path.length === 5) {
    return { what: `the account "${String(fourth)}" of ${String(name)}` };
  }
  const place = section === "tools" && name === "custom" && typeof third === "number";
  const replaced = fourth === "url" ? path.length === 4 : fourth === "headers" && path.length === 5;
  return place && replaced ? { what: "this tool", tool: third } : undefined;
}

function replaceAt(document: unknown, path: DocumentPath, text: string): void {
  const parent = valueAt(document, path.slice(0, -1));
  const key = path.at(-1);
  if (isBranch(parent) && key !== undefined) parent[key] = text;
}

function warning(path: DocumentPath, message: string): ConfigProblem {
  return { severity: "warning", path: formatPath(path), message };
}
