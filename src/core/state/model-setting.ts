import type { Config } from "#contract/config.ts";
import type { ThinkingLevel } from "#contract/model.ts";
import { err, ok, type Result } from "#contract/result.ts";
import type { ModelDirectory, ResolvedModel, SessionPorts } from "./ports.ts";
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
  const agent = agentSettings(ports.config, ports.agentId);
  const model = ports.models.resolve(wanted ?? getSetting(settings, "model") ?? agent?.model);
  return {
    model: model.ok ? model : err(withWayOut(model.error)),
    thinking: getSetting(settings, "thinking") ?? agent?.thinking ?? ports.config.models.thinking,
  };
}

/** The name alone, or why there is none and how to go on. */
export function modelInUse(ports: SessionPorts): Result<string, string> {
  const { model } = modelSetting(ports);
  return model.ok ? ok(model.value.name) : model;
}

/** What a conversation that has not begun would run on. */
export function modelOfNew(
  config: Config,
  models: Pick<ModelDirectory, "resolve">,
  agentId: string,
): Result<string, string> {
  const model = models.resolve(agentSettings(config, agentId)?.model);
  return model.ok ? ok(model.value.name) : err(withWayOut(model.error));
}

function agentSettings(config: Config, agentId: string) {
  return config.agents.list.find((each) => each.id === agentId);
}

/** What `/model` and `/new` say about a name that means nothing. */
export function withList(problem: string): string {
  return `${problem} /models lists the ones I know.`;
}

/** A conversation whose model cannot be used any more must not be a dead end. */
export function withWayOut(problem: string): string {
  return `${problem} /model picks another one for this conversation, /models lists them.`;
}
