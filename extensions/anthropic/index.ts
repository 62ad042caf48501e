import Anthropic from "@anthropic-ai/sdk";
import { defineProvider } from "#contract/extension.ts";
import type { ModelEvent, ModelRequest } from "#contract/model.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { Provider, StreamContext } from "#contract/provider.ts";
import { guardedStream } from "#kit/model/guarded-stream.ts";
import { freshCallIds } from "#kit/model/wire-names.ts";
import { createRedactor } from "#kit/redact.ts";
import { toFault } from "./fault.ts";
import { readMessage } from "./from-wire.ts";
import { claudeModel, defaultModel, offeredModels } from "./models.ts";
import { baseUrlOf, environment, settingsSchema, type Settings } from "./settings.ts";
import { toWire } from "./to-wire.ts";
import { streamingFetch } from "./whole-answer.ts";

/**
 * Claude models over Anthropic's Messages API, with the official client: streaming, tools, thinking,
 * images, PDF files and prompt caching. The client never retries and has no time limit of its own; both
 * are the core's business.
 */
export const anthropic = defineProvider<Settings>({
  kind: "provider",
  id: "anthropic",
  environment,
  settings: settingsSchema,
  offers: offeredModels.map(({ id }) => id),
  create: createAnthropic,
});

/** The largest delay a timer takes: limits come in through the signal. */
const noTimeout = 2 ** 31 - 1;

function createAnthropic(settings: Settings, ports: ExtensionPorts): Provider {
  const redactor = createRedactor([settings.apiKey]);
  const client = new Anthropic({
    apiKey: settings.apiKey,
    // Explicit, so that the client looks up nothing in the environment.
    authToken: null,
    webhookKey: null,
    baseURL: baseUrlOf(settings),
    fetch: streamingFetch(ports.fetch),
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: "off",
    openTelemetry: false,
  });
  return {
    id: "anthropic",
    models: offeredModels,
    defaultModel,
    describe: (model) => claudeModel(model).info,
    stream: (request, context) =>
      guardedStream({
        signal: context.signal,
        open: () => call({ client, newId: ports.newId }, request, context),
        toFault: (error) =>
          toFault(error, {
            now: ports.now(),
            keyVariable: environment.apiKey,
            baseUrl: baseUrlOf(settings),
            redact: (text) => redactor.redact(text),
          }),
      }),
  };
}

async function* call(
  { client, newId }: { client: Anthropic; newId: () => string },
  request: ModelRequest,
  context: StreamContext,
): AsyncGenerator<ModelEvent> {
  const { body, headers, names } = await toWire(request, context);
  const events = await client.messages.create(body, { headers, signal: context.signal });
  yield* readMessage(events, { names, freshId: freshCallIds(request.messages, newId) });
}
