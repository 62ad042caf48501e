import type { ThinkingLevel } from "#contract/model.ts";
import { err, type Result } from "#contract/result.ts";
import type { ResolvedModel, SessionPorts } from "./ports.ts";
import { getSetting } from "./settings.ts";

/**
 * What a conversation's next turn runs on: what was asked for this once, else what was chosen here
 * (`/model`, `/think`), else what its agent is configured with, else the default. The one place that
 * knows this order: what is shown and what runs must not differ.
 */
export interface ModelSetting {
  /** The error says what to do, for whoever reads it. */
  readonly model: Result<ResolvedModel, string>;
  readonly thinking: ThinkingLevel;
}

export function modelSetting(ports: SessionPorts, wanted?: string): ModelSetting {
  const { settings } = ports.store;
  const agent = ports.config.agents.list.find((each) => each.id === ports.agentId);
  const model = ports.models.resolve(wanted ?? getSetting(settings, "model") ?? agent?.model);
  return {
    model: model.ok ? model : err(withWayOut(model.error)),
    thinking: getSetting(settings, "thinking") ?? agent?.thinking ?? ports.config.models.thinking,
  };
}

/** A conversation whose model cannot be used any more must not be a dead end. */
export function withWayOut(problem: string): string {
  return `${problem} /model picks another one for this conversation, /models lists them.`;
}
