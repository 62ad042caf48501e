import { err, ok, type Result } from "#contract/result.ts";

/**
 * Which names the workspace takes. Allow by rule, not by list: any Unicode name is fine as long as it
 * means the same to every reader: no way up, no second spelling, nothing invisible. Not a place for
 * permissions (see protected-paths.ts). The error texts are for the model.
 */
const maxBytes = 512;

/** C0, C1, line separators, zero-width and bidirectional controls; joiners stay, emoji need them. */
const invisible = /[\p{Cc}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const encoded = /%(?:2e|2f|5c|00|25)/i;

/** A file's path, normalised to NFC, without a leading `./`. The error says what is wrong with it. */
export function workspacePath(input: string): Result<string, string> {
  const path = input.normalize("NFC").replace(/^\.\//, "");
  const fault = pathFault(path);
  return fault === undefined ? ok(path) : err(`The path ${quote(input)} is not allowed: ${fault}.`);
}

/** A folder's path without a trailing slash; "", "." and "/" are the top. */
export function workspaceFolder(input: string): Result<string, string> {
  if (["", ".", "./", "/"].includes(input.trim())) return ok("");
  return workspacePath(input.replace(/\/$/, ""));
}

function pathFault(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (!path.isWellFormed()) return "it holds broken Unicode";
  if (new TextEncoder().encode(path).byteLength > maxBytes) return "it is too long";
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "it must be relative to the workspace";
  if (path.includes("\\")) return "use / between folders";
  if (invisible.test(path)) return "it holds invisible characters";
  if (encoded.test(path)) return "write it plainly, without percent encoding";
  return path.split("/").map(segmentFault).find(Boolean);
}

function segmentFault(segment: string): string | undefined {
  if (segment === "") return "a part of it is empty";
  if (/^\.+$/.test(segment)) return "it must not go up or stay in place with dots";
  if (segment !== segment.trim()) return "a part of it begins or ends with a space";
  if (segment.normalize("NFKC").toLowerCase() === ".pagurus") return ".pagurus is not for tools";
  return undefined;
}

function quote(input: string): string {
  return JSON.stringify(input.length > 80 ? `${input.slice(0, 80)}…` : input);
}
