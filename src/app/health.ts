import { Hono } from "hono";
import { createRedactor } from "#kit/redact.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import type { AppEnv } from "./http.ts";

/** Is it alive, is it set up, and a word to whoever opens it in a browser. */
export const healthRoutes = new Hono<AppEnv>();

healthRoutes.get("/healthz", (context) => context.json({ ok: true }));

/** Names what is missing, never a value. 503 only if nobody could be answered at all. */
healthRoutes.get("/readyz", (context) => {
  const { runtime, registry, problems } = loadRuntime(context.env);
  const missing = ["SESSION", "AGENT", "DB", "FILES"].filter((name) => !(name in context.env));
  const redactor = createRedactor([...runtime.secrets]);
  const model = registry.resolveModel();
  const ready = missing.length === 0 && model.ok;
  const body = {
    ready,
    model: model.ok ? model.value.name : model.error,
    bindings: { missing },
    channels: registry.channels(),
    providers: registry.providers(),
    memory: {
      embedder: registry.embedder().embedder?.model ?? null,
      vectors: registry.vectorStoreId() ?? null,
    },
    api: runtime.gatewayToken === undefined ? "GATEWAY_TOKEN is not set" : "on",
    owners: registry.owners().length,
    problems: problems.map((problem) => ({
      ...problem,
      message: redactor.redact(problem.message),
    })),
  };
  return context.json(body, ready ? 200 : 503);
});

healthRoutes.get("/", (context) =>
  context.text("Pagurus is running.\n\nTalk to it:   npm run chat\nIs it set up? /readyz\n"),
);
