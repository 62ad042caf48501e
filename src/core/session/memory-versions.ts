import { sourceOf } from "#core/memory/source.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { localTime } from "#kit/wall-time.ts";
import type { KeptVersion } from "#contract/workspace.ts";
import { fenced } from "#kit/text/fenced.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import type { CommandCall } from "./command-run.ts";

/**
 * `/memory versions` and `/memory restore`: what a file was before, for its owner. A version is named by
 * the end of its id, which stays the same while others are added.
 */
type Call = CommandCall<"memory">;

const NAME = 6;
const SHOWN = 3_000;
/** A path may have spaces, and then it has an ending; whatever stands behind it is meant as a name. */
const called = /^(.+?\.[a-z0-9]+|\S+)(?:\s+(\S.*))?$/is;

export async function versionsText({ ports, command }: Call): Promise<string> {
  const [, path = "MEMORY.md", name] = called.exec(command.argument ?? "MEMORY.md") ?? [];
  if (!mayHaveVersions(path)) return noFile(path);
  const versions = await ports.agent.upkeep.versions(path);
  if (name === undefined) return listText(ports, path, versions);
  const version = named(versions, name);
  const text = version && (await ports.agent.upkeep.version(path, version.id));
  if (!version || text === null || text === undefined) return noVersion(path, name);
  const cut = text.length > SHOWN ? "\n_This is the beginning._" : "";
  return `\`${path}\` ${since(ports, version)}\n${fenced(truncateText(text, SHOWN))}${cut}\nBring it back: /memory restore ${path} ${nameOf(version)}`;
}

export async function restoreText({ ports, item, command }: Call): Promise<string> {
  const [, path = "", name] = called.exec(command.argument ?? "") ?? [];
  if (!mayHaveVersions(path)) return noFile(path);
  if (name === undefined) return `Which one? /memory versions ${path} lists what there is.`;
  const version = named(await ports.agent.upkeep.versions(path), name);
  if (!version) return noVersion(path, name);
  const result = await ports.agent.upkeep.restore({
    operationId: `restore:${ports.key}:${item.seq}`,
    path,
    id: version.id,
  });
  if (!result.ok) return result.reason;
  return `\`${path}\` is again what it was ${since(ports, version)}. What that replaced is kept as well: /memory versions ${path}`;
}

/** What conversations said is taken back by forgetting only, and there is nothing to bring back. */
function mayHaveVersions(path: string): boolean {
  return sourceOf(path)?.kind !== "session";
}

function listText(ports: SessionPorts, path: string, versions: readonly KeptVersion[]): string {
  if (versions.length === 0) return `Nothing is kept of \`${path}\` but what it is now.`;
  return [
    `Earlier versions of \`${path}\`, the newest first:`,
    ...versions.map((version) => `- \`${nameOf(version)}\` ${since(ports, version)}`),
    `Look at one: /memory versions ${path} <name>. Bring it back: /memory restore ${path} <name>.`,
  ].join("\n");
}

function since({ timeZone }: SessionPorts, { at, size }: KeptVersion): string {
  const kilobytes = size < 1_000 ? `${size} bytes` : `${(size / 1_000).toFixed(1)} KB`;
  return at > 0 ? `since ${localTime(at, timeZone)} (${kilobytes})` : `(${kilobytes})`;
}

function nameOf({ id }: KeptVersion): string {
  return id.slice(-NAME).toLowerCase();
}

function named(versions: readonly KeptVersion[], name: string): KeptVersion | undefined {
  return versions.find((version) => nameOf(version) === name.toLowerCase());
}

function noFile(path: string): string {
  return `There are no versions of \`${path}\`.`;
}

function noVersion(path: string, name: string): string {
  const asked = truncateText(name.replaceAll(/[`\s]+/g, " "), 40);
  return `There is no version \`${asked}\` of \`${path}\`. /memory versions ${path} lists what there is.`;
}
