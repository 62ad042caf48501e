import { Hono } from "hono";
import type { Context } from "hono";
import type { Channel, WebhookRequest } from "#contract/channel.ts";
import type { ParsedMessage } from "#contract/message.ts";
import { followMove } from "#core/routing/origin.ts";
import { originsOf } from "#wiring/origins.ts";
import { sessionStub } from "#wiring/stubs.ts";
import { loadRuntime, type Runtime } from "#wiring/runtime.ts";
import { routeToOrigin } from "./group-origin.ts";
import { readBody } from "./guards.ts";
import type { AppEnv } from "./http.ts";
import { greetStranger } from "./stranger.ts";

/**
 * POST /webhooks/:channel/:account? — verify the signature over the raw bytes, parse, gate, route, and
 * hand over to the session. The platform gets its 200 only after every admitted message is stored; if
 * that fails it gets a 500 and delivers again, and what was stored already is recognised.
 */
export const webhookRoutes = new Hono<AppEnv>();

const BODY_LIMIT = 1_000_000;

webhookRoutes.post("/webhooks/:channel/:account?", async (context) => {
  const runtime = loadRuntime(context.env);
  const { channel: id, account = "default" } = context.req.param();
  const channel = runtime.registry.channel(id, account);
  if (!channel) return unknownChannel(context, runtime, id);
  if (channel.capabilities.webhook === false) return noSuchChannel(context);
  const body = await readBody(context.req.raw, BODY_LIMIT);
  if (!body.ok) return context.json({ error: "body over 1 MB" }, 413);
  const request = { headers: context.req.raw.headers, body: body.bytes, now: Date.now() };
  const verified = await channel.verify(request);
  if (!verified.ok) {
    runtime.log.warn("webhook.refused", { channel: id, reason: verified.error });
    return context.json({ error: "signature or secret not accepted" }, 401);
  }
  return takeIn(context, runtime, channel, request);
});

function unknownChannel(context: Context<AppEnv>, { registry, log }: Runtime, id: string) {
  const status = registry.channels().find((each) => each.id === id);
  if (status) {
    log.warn("webhook.not_configured", { channel: id, missing: [...status.missing] });
    return context.json({ error: `${id} is not set up; see /readyz` }, 404);
  }
  return noSuchChannel(context);
}

function noSuchChannel(context: Context<AppEnv>) {
  return context.json({ error: "no such channel" }, 404);
}

async function takeIn(
  context: Context<AppEnv>,
  runtime: Runtime,
  channel: Channel,
  request: WebhookRequest,
): Promise<Response> {
  const parsed = channel.parse(request);
  if (!parsed.ok) return context.json({ error: "malformed body" }, 400);
  switch (parsed.value.kind) {
    case "respond":
      return context.body(parsed.value.body, 200, { "content-type": parsed.value.contentType });
    case "ignored":
      runtime.log.info("webhook.ignored", { channel: channel.id, reason: parsed.value.reason });
      return context.json({ ok: true });
    case "moved": {
      const { from, to } = parsed.value;
      const move = { channel: channel.id, from, to };
      const followed = await followMove(originsOf(context.env), move);
      runtime.log.info("webhook.moved", { channel: channel.id, followed });
      return context.json({ ok: true });
    }
    case "messages": {
      for (const message of parsed.value.messages) {
        const taken = await admit(context, runtime, channel, message);
        if (!taken) return context.json({ error: "Not now. Please deliver it again." }, 500);
      }
      const { response } = parsed.value;
      if (!response) return context.json({ ok: true });
      return context.body(response.body, 200, { "content-type": response.contentType });
    }
  }
}

/** Resolves once the message is stored, or refused for good. False: it must be delivered again. */
async function admit(
  context: Context<AppEnv>,
  { runtime, log }: Runtime,
  channel: Channel,
  message: ParsedMessage,
): Promise<boolean> {
  const routed = await routeToOrigin(context.env, runtime, channel, message);
  if (!routed.ok) {
    log.error("origin.unknown", { channel: channel.id, error: routed.error });
    return false;
  }
  const { routing, formerly } = routed.value;
  if (!routing.admit) {
    log.info("access.refused", { channel: channel.id, reason: routing.reason });
    if (routing.notice) context.executionCtx.waitUntil(greetStranger(context.env, message));
    return true;
  }
  const { sender, buffer, sessionKey } = routing;
  const accepted = await sessionStub(context.env, sessionKey).accept({
    message: { ...message, sender, receivedAt: Date.now() },
    ...(buffer ? { buffer } : {}),
    ...(formerly === undefined ? {} : { formerly }),
  });
  // What was taken shows in the line its turn ends with; every line costs.
  if (accepted.status !== "accepted") {
    log.info("message.not_taken", { session: sessionKey, status: accepted.status });
  }
  if (message.action !== undefined && channel.acknowledgeAction) {
    context.executionCtx.waitUntil(channel.acknowledgeAction(message));
  }
  return true;
}
