import { Hono, type Context } from "hono";
import { stream } from "hono/streaming";
import type { TurnEnd, TurnEvent } from "#contract/turn.ts";
import { describeError } from "#kit/redact.ts";
import { agentIds } from "#core/config/agents.ts";
import { createTextProgress } from "#core/session/text-progress.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { readBody } from "./guards.ts";
import type { AppEnv } from "./http.ts";
import { acceptRequest, type Accepted } from "./openai-accept.ts";
import {
  chunkOf,
  errorChunk,
  completionOf,
  errorOf,
  failureOf,
  usageOf,
  wireOf,
} from "./openai-wire.ts";
import { watchTurn } from "./openai-watch.ts";

/**
 * The OpenAI-compatible API: /v1/chat/completions, streaming and not, and /v1/models. A request is a
 * message like any other: stored, turned into a durable turn, and then watched.
 */
export const openAiRoutes = new Hono<AppEnv>();

const WRONG_KEY =
  "missing or wrong API key: it is the gateway token (locally GATEWAY_TOKEN in .dev.vars; deployed, the secret GATEWAY_TOKEN)";

const BODY_LIMIT = 20_000_000;

openAiRoutes.post("/v1/chat/completions", async (context) => {
  const { registry } = loadRuntime(context.env);
  const channel = registry.channel("api", "default");
  if (!channel) return errorOf(401, "GATEWAY_TOKEN is not set; the API is off");
  const body = await readBody(context.req.raw, BODY_LIMIT);
  if (!body.ok) return errorOf(413, "the body is over 20 MB");
  const request = { headers: context.req.raw.headers, body: body.bytes, now: Date.now() };
  const verified = await channel.verify(request);
  if (!verified.ok) return errorOf(401, WRONG_KEY);
  const parsed = channel.parse(request);
  if (!parsed.ok) {
    if (typeof parsed.error === "string") return errorOf(400, parsed.error);
    return errorOf(400, parsed.error.message, parsed.error.param);
  }
  const accepted = await acceptRequest(context.env, channel, request, parsed.value);
  if (!accepted.ok) {
    const { status, message, param } = accepted.error;
    return errorOf(status, message, param);
  }
  return answer(context, accepted.value);
});

openAiRoutes.get("/v1/models", async (context) => {
  const { runtime, registry } = loadRuntime(context.env);
  const channel = registry.channel("api", "default");
  const headers = context.req.raw.headers;
  const request = { headers, body: new Uint8Array(), now: Date.now() };
  const verified = await channel?.verify(request);
  if (!verified?.ok) return errorOf(401, WRONG_KEY);
  const ids = ["pagurus", ...agentIds(runtime.config).map((id) => `pagurus/${id}`)];
  const data = ids.map((id) => ({ id, object: "model", created: 0, owned_by: "pagurus" }));
  return context.json({ object: "list", data });
});

/** Clients that expect more of this API than there is get an error of the shape they know. */
openAiRoutes.all("/v1/*", (context) => {
  const { method, path } = context.req;
  return errorOf(
    404,
    `there is no ${method} ${path.slice(0, 200)} here, only POST /v1/chat/completions and GET /v1/models`,
    undefined,
    "unknown_url",
  );
});

async function answer(context: Context<AppEnv>, accepted: Accepted): Promise<Response> {
  const events = watchTurn(context.env, accepted.sessionKey, accepted.seq);
  const { log } = loadRuntime(context.env);
  if (!accepted.stream) {
    try {
      return await wholeAnswer(events, accepted);
    } catch (error) {
      log.error("api.turn_lost", { session: accepted.sessionKey, error: describeError(error) });
      return errorOf(503, LOST);
    }
  }
  const response = stream(context, async (out) => {
    const send = (data: unknown) => out.write(`data: ${JSON.stringify(data)}\n\n`);
    try {
      await sendEvents(send, accepted, events);
    } catch (error) {
      log.error("api.stream_lost", { session: accepted.sessionKey, error: describeError(error) });
      await send(errorChunk({ message: LOST, code: "unavailable" }));
    }
    await out.write("data: [DONE]\n\n");
  });
  response.headers.set("content-type", "text/event-stream; charset=utf-8");
  response.headers.set("cache-control", "no-cache");
  return response;
}

const LOST = "the turn could not be followed; send the same request again";

type Send = (data: unknown) => Promise<unknown>;

async function sendEvents(
  send: Send,
  accepted: Accepted,
  events: AsyncGenerator<TurnEvent>,
): Promise<void> {
  await send(chunkOf(accepted, { role: "assistant", content: "" }, null));
  const progress = createTextProgress();
  for await (const event of events) {
    const text = progress.push(event);
    const failure = event.type === "ended" ? failureOf(event) : null;
    if (failure) await send(errorChunk(failure));
    else if (text !== "") await send(chunkOf(accepted, { content: text }, null));
    if (event.type === "ended") await finish(send, accepted, event);
  }
}

async function finish(send: Send, accepted: Accepted, event: TurnEnd): Promise<void> {
  if (failureOf(event)) return;
  await send(chunkOf(accepted, {}, wireOf(event.reason).finish));
  if (!accepted.includeUsage) return;
  await send({ ...chunkOf(accepted, {}, null), choices: [], usage: usageOf(event.usage) });
}

async function wholeAnswer(
  events: AsyncGenerator<TurnEvent>,
  accepted: Accepted,
): Promise<Response> {
  const progress = createTextProgress();
  let text = "";
  for await (const event of events) {
    if (event.type === "text-delta") continue;
    if (event.type === "ended") {
      const failure = failureOf(event);
      if (failure) return errorOf(failure.status, failure.message, undefined, failure.code);
      text += progress.push(event);
      return Response.json(completionOf(accepted, text, event));
    }
    text += progress.push(event);
  }
  return errorOf(503, LOST);
}
