import { defineToolSet } from "#contract/extension.ts";
import { edit } from "./edit.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** Files of the workspace, for whoever shares it. Who may change what: kit/protected-paths.ts. */
export const workspaceTools = defineToolSet({
  kind: "tools",
  id: "workspace-tools",
  tools: [read, write, edit, ls, grep],
});
