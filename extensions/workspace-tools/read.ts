import { z } from "zod";
import { defineTool } from "#contract/tool.ts";
import { workspacePath } from "#kit/workspace-path.ts";
import { refused } from "./outcome.ts";

/** Reads a part of a file by lines, since what a result may hold is bounded and files are not. */
const MAX_CHARS = 14_000;

export const read = defineTool({
  name: "read",
  description: "Read a text file of the workspace.",
  parameters: z.object({
    path: z.string(),
    offset: z.int().min(1).optional().describe("First line, from 1"),
    limit: z.int().min(1).optional().describe("Lines"),
  }),
  level: "workspace",
  replay: "safe",
  async execute({ path, offset, limit }, { workspace }) {
    const parsed = workspacePath(path);
    if (!parsed.ok) return refused(parsed.error);
    const file = await workspace.read(parsed.value);
    if (!file) return refused(`There is no file ${parsed.value}. ls shows what there is.`);
    if (file.text === "") return { text: `${parsed.value} is empty.` };
    const text = excerpt(file.text, offset ?? 1, limit ?? Number.POSITIVE_INFINITY);
    return { text, ...(file.untrusted ? { untrusted: true } : {}) };
  },
});

/** The lines asked for, as many as fit, and where to go on. */
function excerpt(text: string, offset: number, limit: number): string {
  const lines = text.replace(/\n$/, "").split("\n");
  if (offset > lines.length) return `[The file has only ${lines.length} lines.]`;
  const wanted = lines.slice(offset - 1, offset - 1 + limit);
  const shown = fitting(wanted);
  const last = offset - 1 + shown.length;
  const body = shown.join("\n");
  const cut = body.length > MAX_CHARS;
  const whole = offset === 1 && last === lines.length && !cut;
  if (whole) return body;
  const next = last < lines.length ? ` Next: offset ${last + 1}.` : "";
  const note = cut ? " A line was too long and is cut." : "";
  return `${cutAt(body, MAX_CHARS)}\n[Lines ${offset}–${last} of ${lines.length}.${next}${note}]`;
}

/** At least one line, and no more than fit into a result. */
function fitting(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let size = 0;
  for (const line of lines) {
    size += line.length + 1;
    if (shown.length > 0 && size > MAX_CHARS) break;
    shown.push(line);
  }
  return shown;
}

function cutAt(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
}
