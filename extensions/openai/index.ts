import { defineProvider } from "#contract/extension.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { Provider } from "#contract/provider.ts";
import { guardedStream } from "#kit/model/guarded-stream.ts";
import { createRedactor } from "#kit/redact.ts";
import { callModel } from "./call.ts";
import { toFault } from "./fault.ts";
import { defaultModel, offeredModels, openAiModel } from "./models.ts";
import { endpointOf, environment, settingsSchema, type Settings } from "./settings.ts";

/**
 * OpenAI, and every server that speaks its protocol. OpenAI itself is called over the Responses API,
 * any other base URL over Chat Completions; the setting `api` overrides that.
 */
export const openai = defineProvider<Settings>({
  kind: "provider",
  id: "openai",
  environment,
  settings: settingsSchema,
  offers: offeredModels.map(({ id }) => id),
  create: createOpenAi,
});

function createOpenAi(settings: Settings, ports: ExtensionPorts): Provider {
  const { apiKey } = settings;
  const endpoint = endpointOf(settings);
  const redactor = createRedactor(apiKey === undefined ? [] : [apiKey]);
  return {
    id: "openai",
    // A compatible server has models of its own; the operator names one.
    models: endpoint.dialect === "openai" ? offeredModels : [],
    defaultModel,
    describe: (model) => openAiModel(model).info,
    stream: (request, context) =>
      guardedStream({
        signal: context.signal,
        open: () => callModel({ endpoint, apiKey, ports }, request, context),
        toFault: (error) =>
          toFault(error, {
            now: ports.now(),
            keyVariable: environment.apiKey,
            baseUrl: endpoint.baseUrl,
            redact: (text) => redactor.redact(text),
          }),
      }),
  };
}
