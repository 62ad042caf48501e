import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { err, ok, type Result } from "#contract/result.ts";
import { fetchConversation, type ConversationName } from "./readiness.ts";
import type { Target } from "./target.ts";

/**
 * `/export` in the chat at a terminal: the conversation as JSONL in a file of its own, which only its
 * owner can read. It is fetched over HTTP, where it may be of any length, and never takes the place of a
 * file that is there.
 */
export interface ExportOrder {
  readonly target: Target;
  readonly conversation: ConversationName;
  readonly folder: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const MOST_OF_A_DAY = 1000;
const WAIT_MS = 20_000;

/** The file's path, or why there is none, as a sentence. Never rejects. */
export async function saveExport(order: ExportOrder): Promise<Result<string, string>> {
  const { target, conversation } = order;
  try {
    const patience = AbortSignal.timeout(WAIT_MS);
    const facts = await fetchConversation(target, conversation, patience);
    if (!facts) return err("The export failed: Pagurus does not tell which conversation this is.");
    const { key } = facts;
    if (key === undefined) return err("There is nothing to export yet.");
    const headers = { authorization: `Bearer ${target.token}` };
    const address = `${target.url}/sessions/${encodeURIComponent(key)}/export`;
    const response = await fetch(address, { headers });
    if (!response.ok || !response.body) return err(`The export failed: HTTP ${response.status}.`);
    const path = await claimFile(order.folder, exportName(key, order.date));
    if (path === undefined) return err(`There are too many exports in ${order.folder}.`);
    return await write(response.body, path);
  } catch (error) {
    return err(`The export failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Without its ending. Nothing but letters, digits, dots and hyphens, whatever a key holds. */
export function exportName(key: string, date: string): string {
  const safe = key
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80);
  return `pagurus-${safe}-${date}`;
}

/** Makes an empty file under the first name that is free; undefined when none is. */
async function claimFile(folder: string, name: string): Promise<string | undefined> {
  for (let count = 1; count <= MOST_OF_A_DAY; count += 1) {
    const path = join(folder, `${name}${count === 1 ? "" : `-${count}`}.jsonl`);
    try {
      await (await open(path, "wx", 0o600)).close();
      return path;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
  return undefined;
}

/** Half an export is none. */
async function write(
  body: AsyncIterable<Uint8Array>,
  path: string,
): Promise<Result<string, string>> {
  try {
    await pipeline(body, createWriteStream(path));
    return ok(path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
