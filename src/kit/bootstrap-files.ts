/**
 * The files at the top of a workspace that shape every turn, in the order of the prompt. Everything
 * else that names them derives from this table, so that a file cannot be put into the prompt without
 * being protected: a tool could otherwise write what every later prompt says.
 */
export interface BootstrapFileRule {
  readonly path: string;
  /** Stands in every prompt; otherwise it is only kept at hand. */
  readonly inPrompt: boolean;
  /** Is about the owner: only where every reader is one. */
  readonly ownersOnly: boolean;
}

export const bootstrapFiles = [
  { path: "AGENTS.md", inPrompt: true, ownersOnly: false },
  { path: "SOUL.md", inPrompt: true, ownersOnly: false },
  { path: "IDENTITY.md", inPrompt: true, ownersOnly: false },
  { path: "TOOLS.md", inPrompt: true, ownersOnly: false },
  { path: "USER.md", inPrompt: true, ownersOnly: true },
  { path: "MEMORY.md", inPrompt: true, ownersOnly: true },
  { path: "HEARTBEAT.md", inPrompt: false, ownersOnly: false },
] as const satisfies readonly BootstrapFileRule[];

export type BootstrapPath = (typeof bootstrapFiles)[number]["path"];
