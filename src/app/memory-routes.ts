import { Hono } from "hono";
import { agentIds } from "#core/config/agents.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { agentStub } from "#wiring/stubs.ts";
import { exportedFiles } from "./exported-files.ts";
import { operatorOnly } from "./guards.ts";
import type { AppEnv } from "./http.ts";

/** An agent's memory, for the operator: how it is, what it finds, all of it, and its index built anew. */
export const memoryRoutes = new Hono<AppEnv>();

memoryRoutes.use("/agents/:id/memory/*", operatorOnly);
memoryRoutes.use("/agents/:id/memory/*", async (context, next) => {
  const { runtime } = loadRuntime(context.env);
  if (!agentIds(runtime.config).includes(context.req.param("id"))) {
    return context.json({ error: "no such agent" }, 404);
  }
  return next();
});

memoryRoutes.get("/agents/:id/memory/status", async (context) => {
  const stub = agentStub(context.env, context.req.param("id"));
  const [status, waitingLines] = await Promise.all([stub.memoryStatus(), stub.waitingLines()]);
  return context.json({ ...status, waitingLines });
});

/** Begins it; `status` says how much is still waiting. */
memoryRoutes.post("/agents/:id/memory/index", async (context) => {
  const stub = agentStub(context.env, context.req.param("id"));
  if (context.req.query("force") === "true") await stub.startRebuild();
  return context.json(await stub.memoryStatus(), 202);
});

const LONGEST_QUERY = 1_000;

memoryRoutes.get("/agents/:id/memory/search", async (context) => {
  const text = (context.req.query("q") ?? "").trim();
  if (text === "" || text.length > LONGEST_QUERY) {
    return context.json(
      { error: `say what to look for in q, at most ${LONGEST_QUERY} characters` },
      400,
    );
  }
  const agentId = context.req.param("id");
  // Looking as the operator is no recall.
  const asker = { sessionKey: `agent:${agentId}:operator`, identity: "owner", counts: false };
  const limit = Math.min(20, Math.max(1, Number(context.req.query("limit") ?? 6) || 6));
  return context.json(await agentStub(context.env, agentId).searchMemory({ text, limit, asker }));
});

/** Every file, one a line as JSON. */
memoryRoutes.get("/agents/:id/memory/export", (context) => {
  const files = exportedFiles(agentStub(context.env, context.req.param("id")));
  const encoder = new TextEncoder();
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await files.next();
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`));
    },
  });
  return new Response(lines, { headers: { "content-type": "application/jsonl" } });
});
