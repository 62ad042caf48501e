import { z } from "zod";
import { defineTool } from "#contract/tool.ts";
import { workspaceFolder } from "#kit/workspace-path.ts";
import { refused } from "./outcome.ts";

const MAX_ENTRIES = 300;

/** Lists one folder. */
export const ls = defineTool({
  name: "ls",
  description: "List a folder of the workspace (default: the top).",
  parameters: z.object({ path: z.string().optional() }),
  level: "workspace",
  replay: "safe",
  async execute({ path }, { workspace }) {
    const folder = workspaceFolder(path ?? "");
    if (!folder.ok) return refused(folder.error);
    const entries = await workspace.list(folder.value);
    if (entries.length === 0) {
      return {
        text: folder.value === "" ? "The workspace is empty." : `Nothing in ${folder.value}.`,
      };
    }
    const lines = entries
      .slice(0, MAX_ENTRIES)
      .map(({ name, size }) => (name.endsWith("/") ? name : `${name} (${size} bytes)`));
    const more = entries.length - lines.length;
    const text = [...lines, ...(more > 0 ? [`[and ${more} more]`] : [])].join("\n");
    const untrusted = entries.slice(0, MAX_ENTRIES).some((entry) => entry.untrusted);
    return { text, ...(untrusted ? { untrusted } : {}) };
  },
});
