import { defineToolSet } from "#contract/extension.ts";
import { intent } from "./intent.ts";

/** What an owner wants done when something comes up. */
export const intentTools = defineToolSet({ kind: "tools", id: "intent-tools", tools: [intent] });
