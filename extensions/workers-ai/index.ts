import { z } from "zod";
import { defineProvider } from "#contract/extension.ts";
import type { ModelEvent, ModelRequest } from "#contract/model.ts";
import type { AiBinding, ExtensionPorts } from "#contract/ports.ts";
import type { Provider, StreamContext } from "#contract/provider.ts";
import { guardedStream } from "#kit/model/guarded-stream.ts";
import { loadMedia } from "#kit/model/media-part.ts";
import { freshCallIds, toolNames } from "#kit/model/wire-names.ts";
import { redact } from "#kit/redact.ts";
import { errorOf, toFault } from "./fault.ts";
import { readAnswer } from "./from-wire.ts";
import { defaultModel, hostedModel, offeredModels } from "./models.ts";
import { obstacle } from "./obstacle.ts";
import { readSse } from "./sse.ts";
import { affinityHeaders, runInput } from "./to-wire.ts";

/**
 * Models on Workers AI, over the `AI` binding: no key, the account pays. The raw Response is asked for,
 * because only it has the status and the headers of a failure; a stream, an object or a thrown error are
 * understood as well, since that is what older runtimes and stand-ins give.
 */
export const workersAi = defineProvider({
  kind: "provider",
  id: "workers-ai",
  environment: {},
  settings: z.strictObject({}),
  obstacle,
  create: (_settings, ports) => createWorkersAi(ports),
});

function createWorkersAi(ports: ExtensionPorts): Provider {
  const context = () => ({ now: ports.now(), redact });
  return {
    id: "workers-ai",
    models: offeredModels,
    defaultModel,
    describe: (model) => hostedModel(model).info,
    stream(request, streamContext) {
      const { ai } = ports;
      if (!ai) return notConfigured();
      return guardedStream({
        signal: streamContext.signal,
        open: () => call(ai, ports.newId, request, streamContext),
        toFault: (error) => toFault(error, context()),
      });
    },
  };
}

async function* notConfigured(): AsyncGenerator<ModelEvent> {
  const message = 'Workers AI only works when deployed, with [ai] binding = "AI" in wrangler.toml';
  yield { type: "error", fault: { reason: "not_configured", message } };
}

async function* call(
  ai: AiBinding,
  newId: () => string,
  request: ModelRequest,
  context: StreamContext,
): AsyncGenerator<ModelEvent> {
  const media = await loadMedia(request.messages, {
    images: hostedModel(request.model).info.images,
    documents: false,
    readMedia: (mediaKey) => context.readMedia(mediaKey),
  });
  const names = toolNames(request.tools.map((tool) => tool.name));
  const answer = await ai.run(request.model, runInput(request, { names, media }), {
    returnRawResponse: true,
    extraHeaders: affinityHeaders(request.cacheKey),
    signal: context.signal,
  });
  const freshId = freshCallIds(request.messages, newId);
  yield* readAnswer(eventsOf(answer), { names, freshId });
}

/** The data of the answer's events, whatever the binding gave. */
async function* eventsOf(answer: unknown): AsyncGenerator<string> {
  if (answer instanceof ReadableStream) {
    yield* readSse(answer);
  } else if (answer instanceof Response) {
    if (!answer.ok) throw await errorOf(answer);
    const isStream = answer.headers.get("content-type")?.includes("text/event-stream") ?? false;
    if (isStream && answer.body) yield* readSse(answer.body);
    else yield* wholeAnswer(await answer.text());
  } else {
    yield* wholeAnswer(JSON.stringify(answer) ?? "");
  }
}

function wholeAnswer(text: string): string[] {
  return [text, "[DONE]"];
}
