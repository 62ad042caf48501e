import type { Result } from "#contract/result.ts";

/** The first lines of a chat at a terminal: a text only. */
export interface Greeting {
  /** Empty for this machine, else with a blank in front. */
  readonly where: string;
  /** What this conversation runs on, or why it cannot and how to go on. */
  readonly model: Result<string, string>;
  readonly session: string;
}

export function greeting({ where, model, session }: Greeting): string {
  const brain = model.ok ? `model ${model.value}` : "no model that answers";
  const problem = model.ok ? "" : `! ${model.error}\n`;
  return `Pagurus${where}, ${brain}, conversation “${session}”. /help, /quit\n${problem}\n`;
}
