import { Hono } from "hono";
import { agentIds } from "#core/config/agents.ts";
import { parseSessionKey } from "#core/routing/session-key.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { agentStub, sessionStub } from "#wiring/stubs.ts";
import { operatorOnly } from "./guards.ts";
import type { AppEnv } from "./http.ts";

/** Conversations, for the operator: which there are, and one of them as JSONL. */
export const sessionRoutes = new Hono<AppEnv>();

sessionRoutes.use("/sessions/*", operatorOnly);
sessionRoutes.use("/sessions", operatorOnly);

sessionRoutes.get("/sessions", async (context) => {
  const { runtime } = loadRuntime(context.env);
  const agentId = context.req.query("agent") ?? runtime.config.agents.default;
  if (!agentIds(runtime.config).includes(agentId))
    return context.json({ error: "no such agent" }, 404);
  return context.json({ sessions: await agentStub(context.env, agentId).listSessions(500) });
});

sessionRoutes.get("/sessions/:key/export", async (context) => {
  const key = context.req.param("key");
  const agentId = parseSessionKey(key)?.agentId;
  const entry = agentId ? await agentStub(context.env, agentId).findSession(key) : null;
  if (!entry) return context.json({ error: "no such conversation" }, 404);
  const lines = await sessionStub(context.env, entry.sessionKey).exportTranscript();
  return new Response(lines, { headers: { "content-type": "application/jsonl" } });
});
