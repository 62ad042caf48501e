import { defineToolSet } from "#contract/extension.ts";
import { memoryForget } from "./forget.ts";
import { memoryGet } from "./get.ts";
import { memorySearch } from "./search.ts";
import { memoryWrite } from "./write.ts";

/** The agent's long-term memory, for whoever may have it (core/agent/memory-access.ts). */
export const memoryTools = defineToolSet({
  kind: "tools",
  id: "memory-tools",
  tools: [memorySearch, memoryGet, memoryWrite, memoryForget],
});
