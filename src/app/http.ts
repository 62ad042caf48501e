import { Hono } from "hono";
import { describeError } from "#kit/redact.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { healthRoutes } from "./health.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { openAiRoutes } from "./openai-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { setupRoutes } from "./setup.ts";
import { webhookRoutes } from "./webhook.ts";

/** The Worker's HTTP surface. Routes live in their own files; here they are mounted, and errors end. */
export type AppEnv = { Bindings: Env };

export const app = new Hono<AppEnv>();

app.route("/", healthRoutes);
app.route("/", webhookRoutes);
app.route("/", openAiRoutes);
app.route("/", sessionRoutes);
app.route("/", memoryRoutes);
app.route("/", setupRoutes);

app.notFound((context) => context.json({ error: "not found" }, 404));

app.onError((error, context) => {
  const { log } = loadRuntime(context.env);
  log.error("http.failed", { path: context.req.path, error: describeError(error) });
  return context.json({ error: "something went wrong here; try again" }, 500);
});
