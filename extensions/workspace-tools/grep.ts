import { z } from "zod";
import { defineTool } from "#contract/tool.ts";
import { workspaceFolder } from "#kit/workspace-path.ts";
import { refused } from "./outcome.ts";

const MAX_MATCHES = 50;

/** Finds lines in the files of a folder. */
export const grep = defineTool({
  name: "grep",
  description:
    "Find lines that match a regular expression in a file or folder (default: everywhere).",
  parameters: z.object({
    pattern: z.string().min(1),
    path: z.string().optional(),
    ignore_case: z.boolean().default(true),
  }),
  level: "workspace",
  replay: "safe",
  async execute({ pattern, path, ignore_case: ignoreCase }, { workspace }) {
    const folder = workspaceFolder(path ?? "");
    if (!folder.ok) return refused(folder.error);
    const query = { pattern, folder: folder.value, ignoreCase, maxMatches: MAX_MATCHES };
    const result = await workspace.grep(query);
    if (!result.ok) return refused(result.reason);
    const lines = result.matches.map((match) => `${match.path}:${match.line}: ${match.text}`);
    if (lines.length === 0) lines.push("No match.");
    if (result.truncated) lines.push("[Not everything was looked at or shown: narrow it down.]");
    return { text: lines.join("\n"), ...(result.untrusted ? { untrusted: true } : {}) };
  },
});
