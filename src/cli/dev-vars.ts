import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/**
 * `.dev.vars`, the settings and secrets of the local server. wrangler hands them to the Worker; this
 * makes the file on the first start (a copy of `.dev.vars.example` with a gateway token of its own),
 * looks names up, and never changes a line that has a value. Readable by its owner only, from the
 * first byte. No value is ever printed from here.
 */
const FILE = ".dev.vars";
const EXAMPLE = ".dev.vars.example";

export interface DevVars {
  readonly values: Readonly<Record<string, string>>;
  /** A token was made just now. */
  readonly made: boolean;
}

/** The file's values; empty when there is no file. */
export function readDevVars(root: string): Readonly<Record<string, string>> {
  return parse(readText(join(root, FILE)) ?? "");
}

/** Makes sure there is a gateway token, and on the very first start the file around it. */
export function prepareDevVars(root: string, timeZone: string): DevVars {
  const path = join(root, FILE);
  const present = readText(path);
  const before = parse(present ?? "");
  if ((before["GATEWAY_TOKEN"] ?? "") !== "") return { values: before, made: false };
  const base = present ?? withSetting(readText(join(root, EXAMPLE)) ?? "", "TIMEZONE", timeZone);
  const text = withSetting(base, "GATEWAY_TOKEN", randomBytes(24).toString("base64url"));
  writePrivately(path, text);
  return { values: parse(text), made: true };
}

/** Names that `.dev.vars.example` explains: all the settings there are. */
export function settingNames(root: string): string[] {
  const example = readText(join(root, EXAMPLE)) ?? "";
  return [...example.matchAll(/^#?[ \t]*([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1] ?? "");
}

/**
 * The text with `name` set: in its own line if there is one, else where it is commented out, else at
 * the end. For values that need no quotes.
 */
export function withSetting(text: string, name: string, value: string): string {
  const setting = `${name}=${value}`;
  for (const comment of ["", "#[ \\t]*"]) {
    const line = new RegExp(`^[ \\t]*${comment}(?:export[ \\t]+)?${name}[ \\t]*=.*$`, "m");
    if (line.test(text)) return text.replace(line, () => setting);
  }
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${setting}\n`;
}

function parse(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) values[name] = value?.trim() ?? "";
  return values;
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Beside the target and renamed, so that a start that is cut off loses nobody's keys. */
function writePrivately(path: string, text: string): void {
  const scratch = `${path}.${process.pid}`;
  writeFileSync(scratch, text, { mode: 0o600 });
  renameSync(scratch, path);
}
