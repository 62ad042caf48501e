import { z } from "zod";
import { defineTool } from "#contract/tool.ts";
import type { HistoryLine } from "#contract/session-rpc.ts";
import { isClean } from "#contract/transcript.ts";
import { rowsOutcome } from "#kit/memory-rows.ts";

/** Other conversations of the same agent, for its owner in a direct chat. */
const MAX_CHARS = 13_000;

const sessionsList = defineTool({
  name: "sessions_list",
  description: "List your conversations, the latest first.",
  parameters: z.object({ limit: z.int().min(1).max(100).default(20) }),
  level: "own-memory",
  replay: "safe",
  async execute({ limit }, { session, sessionKey }) {
    const rows = await session.list(limit);
    const lines = rows.map((row) => {
      const here = row.sessionKey === sessionKey ? " (this one)" : "";
      const kept = `${row.archived ? ", archived" : ""}${row.pinned ? ", pinned" : ""}`;
      return `${row.sessionKey}, last active ${new Date(row.lastActiveAt).toISOString().slice(0, 16)}Z${kept}${here}`;
    });
    return { text: lines.length === 0 ? "There is none yet." : lines.join("\n") };
  },
});

const sessionsHistory = defineTool({
  name: "sessions_history",
  description:
    "Read what was said in one of your conversations, archived parts included, the newest page first.",
  parameters: z.object({
    session: z.string().min(1).max(1_000),
    before: z.int().min(1).optional().describe("Entry number, for the page before it"),
    limit: z.int().min(1).max(50).default(30),
  }),
  level: "own-memory",
  replay: "safe",
  async execute({ session: key, before, limit }, context) {
    const request = { limit, ...(before === undefined ? {} : { before }) };
    const page = await context.session.history(key, request);
    if (!page) return { text: `Nothing can be told of a conversation "${key}".`, isError: true };
    const lines = newest(page.lines);
    const said = lines.map((line, index) => {
      const head = `#${line.seq} ${new Date(line.at).toISOString().slice(0, 16)}Z ${line.speaker}:`;
      return `${head} ${isForeign(line) ? `\n${context.frame(line.text, index)}` : line.text}`;
    });
    if (said.length === 0) said.push("Nothing was said in this part.");
    const earlier = lines.length < page.lines.length ? (lines[0]?.seq ?? null) : page.earlier;
    const where = page.archived && earlier === page.earlier ? ", in the archive" : "";
    if (earlier !== null) said.push(`[Earlier${where}: before ${earlier}.]`);
    const untrusted = lines.some(isForeign);
    return { text: said.join("\n"), ...(untrusted ? { untrusted, framed: true } : {}) };
  },
});

const sessionsSearch = defineTool({
  name: "sessions_search",
  description: "Search what was said in past conversations with the owner, archived or not.",
  parameters: z.object({
    query: z.string().min(1).max(1_000),
    limit: z.int().min(1).max(20).optional(),
  }),
  level: "own-memory",
  replay: "safe",
  async execute({ query, limit }, context) {
    const answer = await context.memory.search({
      text: query,
      kinds: ["session"],
      ...(limit === undefined ? {} : { limit }),
    });
    return rowsOutcome(answer, (text, part) => context.frame(text, part));
  },
});

export const pastSessions = [sessionsList, sessionsHistory, sessionsSearch];

function isForeign({ trust }: HistoryLine): boolean {
  return !isClean(trust);
}

/** As many of the newest as a result has room for, whole. */
function newest(lines: readonly HistoryLine[]): HistoryLine[] {
  let room = MAX_CHARS;
  const shown: HistoryLine[] = [];
  for (const line of lines.toReversed()) {
    room -= line.text.length + 200;
    if (room < 0) break;
    shown.unshift(line);
  }
  return shown;
}
