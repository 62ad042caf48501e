import type { ModelEvent, ModelRequest } from "#contract/model.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { StreamContext } from "#contract/provider.ts";
import { loadMedia } from "#kit/model/media-part.ts";
import { freshCallIds, toolNames } from "#kit/model/wire-names.ts";
import { watchAnswer } from "./answer.ts";
import { readChat } from "./chat-from-wire.ts";
import { chatRequest, type Wiring } from "./chat-request.ts";
import { openAiClient } from "./client.ts";
import { openAiModel } from "./models.ts";
import { readResponses } from "./responses-from-wire.ts";
import { responsesRequest } from "./responses-request.ts";
import type { Endpoint } from "./settings.ts";

/**
 * One model call with the official client, over the API of the endpoint. A client per call, because its
 * fetch watches this call's answer; making one costs nothing.
 */
export interface CallSetup {
  readonly endpoint: Endpoint;
  readonly apiKey: string | undefined;
  readonly ports: ExtensionPorts;
}

export async function* callModel(
  setup: CallSetup,
  request: ModelRequest,
  context: StreamContext,
): AsyncGenerator<ModelEvent> {
  const { endpoint } = setup;
  const media = await loadMedia(request.messages, {
    images: openAiModel(request.model).info.images,
    documents: endpoint.api === "responses" || endpoint.dialect === "openai",
    readMedia: (mediaKey) => context.readMedia(mediaKey),
  });
  const names = toolNames(request.tools.map((tool) => tool.name));
  const wiring = { endpoint, names, media };
  yield* endpoint.api === "responses"
    ? overResponses(setup, request, wiring, context.signal)
    : overChat(setup, request, wiring, context.signal);
}

async function* overChat(
  setup: CallSetup,
  request: ModelRequest,
  wiring: Wiring,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const answer = watchAnswer(setup.ports.fetch, (json) => json);
  const body = chatRequest(request, wiring);
  const chunks = await openAiClient(setup, answer.fetch).chat.completions.create(body, { signal });
  const freshId = freshCallIds(request.messages, setup.ports.newId);
  yield* readChat(chunks, { names: wiring.names, freshId, saidDone: () => answer.saidDone() });
}

async function* overResponses(
  setup: CallSetup,
  request: ModelRequest,
  wiring: Wiring,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const answer = watchAnswer(setup.ports.fetch, (response) => ({
    type: "response.completed",
    response,
  }));
  const body = responsesRequest(request, wiring);
  const events = await openAiClient(setup, answer.fetch).responses.create(body, { signal });
  const freshId = freshCallIds(request.messages, setup.ports.newId);
  yield* readResponses(events, { model: request.model, names: wiring.names, freshId });
}
