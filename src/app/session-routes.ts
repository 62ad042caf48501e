import { Hono } from "hono";
import { agentIds } from "#core/config/agents.ts";
import { buildSessionKey, parseSessionKey } from "#core/routing/session-key.ts";
import { modelOfNew } from "#core/state/model-setting.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { agentStub, sessionStub } from "#wiring/stubs.ts";
import { operatorOnly } from "./guards.ts";
import type { AppEnv } from "./http.ts";
import { agentOf } from "./openai-accept.ts";

/** Conversations, for the operator: which there are, and one of them as JSONL. */
export const sessionRoutes = new Hono<AppEnv>();

/** As in a request (extensions/api/schema.ts). */
const LONGEST_USER = 512;

/** Conversations in a listing: those that were active last. */
const LISTED = 500;

sessionRoutes.use("/sessions/*", operatorOnly);
sessionRoutes.use("/sessions", operatorOnly);

sessionRoutes.get("/sessions", async (context) => {
  const { runtime } = loadRuntime(context.env);
  const agentId = context.req.query("agent") ?? runtime.config.agents.default;
  if (!agentIds(runtime.config).includes(agentId))
    return context.json({ error: "no such agent" }, 404);
  // One more than is shown tells whether there are others.
  const found = await agentStub(context.env, agentId).listSessions(LISTED + 1);
  return context.json({ sessions: found.slice(0, LISTED), more: found.length > LISTED });
});

/**
 * For the chat of the command line: what would answer in a conversation of the API, and its key if there
 * is one already.
 */
sessionRoutes.get("/conversation", operatorOnly, async (context) => {
  const { runtime, registry } = loadRuntime(context.env);
  const agentId = agentOf(context.env, context.req.query("model") ?? "pagurus");
  const user = context.req.query("user") ?? "";
  if (agentId === null || user === "" || user.length > LONGEST_USER) {
    return context.json({ error: "no such conversation" }, 404);
  }
  const key = buildSessionKey({ agentId, scope: { kind: "api", user } }, true);
  // Looking must not make a conversation.
  const entry = await agentStub(context.env, agentId).findSession(key);
  const model = entry
    ? await sessionStub(context.env, entry.sessionKey).modelInUse()
    : modelOfNew(runtime.config, registry.models, agentId);
  return context.json({ model, ...(entry ? { key: entry.sessionKey } : {}) });
});

sessionRoutes.get("/sessions/:key/export", async (context) => {
  const key = context.req.param("key");
  const agentId = parseSessionKey(key)?.agentId;
  const entry = agentId ? await agentStub(context.env, agentId).findSession(key) : null;
  if (!entry) return context.json({ error: "no such conversation" }, 404);
  const lines = await sessionStub(context.env, entry.sessionKey).exportTranscript();
  return new Response(lines, { headers: { "content-type": "application/jsonl" } });
});
