import type { ModelRequest } from "#contract/model.ts";
import type { Turn } from "#contract/turn.ts";
import { memoryAccess } from "#core/agent/memory-access.ts";
import { toolsFor } from "#core/agent/tool-policy.ts";
import { toolSchema } from "#core/agent/tool-schema.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";
import { frameSecret } from "./frame.ts";
import { fitBootstrap } from "./fit-bootstrap.ts";
import { buildMessages } from "./context.ts";
import { makeRoom } from "./history.ts";
import { systemPrompt } from "./prompt.ts";

/**
 * Everything one model call is given: system prompt, tools, and as much of the conversation as fits.
 * A view, built anew for each call; the transcript itself is never changed by it.
 */
export interface Assembled {
  readonly request: ModelRequest;
  /** Anything from outside is in the window: what the model writes now is not the owner's word. */
  readonly tainted: boolean;
}

export function assemble(ports: SessionPorts, turn: Turn, model: ResolvedModel): Assembled {
  const { config } = ports;
  const { route, sender, instructions, thinking, title } = turn.detail;
  const memory = memoryAccess(memoryRules(ports, route), turn.detail);
  const tools = toolsFor(ports.tools, turn.detail, memory);
  const channel = ports.channel(route);
  const files = fitBootstrap(
    ports.live.bootstrap ?? { version: "", files: [] },
    config.bootstrap,
    memory.files,
  );
  const system = systemPrompt({
    files,
    tools,
    agentId: ports.agentId,
    model: model.name,
    now: turn.startedAt,
    timeZone: ports.timeZone,
    channel: {
      id: route.channel,
      kind: route.kind,
      description: channel?.capabilities.description ?? "",
    },
    title,
    sender,
    memory,
    instructions,
    recalled: turn.detail.recalled,
  });
  const schemas = tools.map(toolSchema);
  const maxOutputTokens = Math.min(config.models.maxOutputTokens, model.info.maxOutputTokens);
  const { settings } = ports.store;
  const entries = makeRoom(ports, turn, { system, schemas, info: model.info, maxOutputTokens });
  const messages = buildMessages(entries, {
    leftOut: getSetting(settings, "leftOut") ?? 0,
    resumed: getSetting(settings, "resumedIn") === turn.sessionId,
    secret: frameSecret(ports),
  });
  const request: ModelRequest = {
    model: model.info.id,
    system,
    messages,
    tools: schemas,
    maxOutputTokens,
    thinking,
    cacheKey: turn.sessionId,
  };
  const tainted = entries.some((entry) => entry.trust === "untrusted");
  return { request, tainted };
}
