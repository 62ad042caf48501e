import { toolsIn } from "#core/agent/tool-policy.ts";
import { LiveTurns } from "#core/state/live.ts";
import type { Peers, SessionPorts } from "#core/state/ports.ts";
import { describeError } from "#kit/redact.ts";
import { parseSessionKey } from "#core/routing/session-key.ts";
import { migrate } from "#platform/migrate.ts";
import { createMediaStore } from "#platform/r2/media-store.ts";
import { createPartStore } from "#platform/r2/part-store.ts";
import { createSessionStore } from "#platform/session/store.ts";
import { timers } from "#platform/timers.ts";
import { sessionMigrations } from "#migrations/session/index.ts";
import { createAgentPort } from "./agent-port.ts";
import { inTime } from "./in-time.ts";
import { originsOf } from "./origins.ts";
import { loadRuntime } from "./runtime.ts";
import { agentStub, sessionStub } from "./stubs.ts";

/**
 * Builds what one SessionDO is made of. Synchronous, for its constructor: the schema is migrated
 * before any call gets in.
 */
export function createSessionPorts(
  state: DurableObjectState,
  env: Env,
  onErased: () => void,
): SessionPorts {
  const key = state.id.name ?? "";
  const agentId = parseSessionKey(key)?.agentId;
  if (agentId === undefined) throw new Error("this object is not named by a session key");
  migrate(state.storage, sessionMigrations);
  const { runtime, registry, log } = loadRuntime(env);
  const now = () => Date.now();
  return {
    key,
    agentId,
    store: createSessionStore(state.storage, now, ({ table, id }) =>
      log.error("session.unreadable_row", { session: key, table, id }),
    ),
    config: runtime.config,
    timeZone: runtime.timeZone,
    channel: (route) => registry.channel(route.channel, route.account),
    models: registry.models,
    tools: toolsIn(key, registry.tools()),
    agent: createAgentPort(agentStub(env, agentId)),
    media: createMediaStore(env.FILES),
    parts: createPartStore(env.FILES, agentId, key),
    peers: createPeers(env),
    origins: originsOf(env),
    timers,
    live: new LiveTurns(),
    log,
    now,
    newId: () => crypto.randomUUID(),
    bootId: crypto.randomUUID(),
    background(work) {
      const reported = work.catch((error: unknown) => {
        log.error("background.failed", { session: key, error: describeError(error) });
      });
      state.waitUntil(reported);
    },
    async erase() {
      // Takes the alarm along. Nothing gets in between: it has its effect before it is awaited.
      const erased = state.storage.deleteAll();
      onErased();
      await erased;
    },
  };
}

function createPeers(env: Env): Peers {
  return {
    deliver: (sessionKey, message, key) => sessionStub(env, sessionKey).deliver(message, key),
    history: (sessionKey, request) =>
      inTime(sessionStub(env, sessionKey).historyPage(request), 5_000, "the conversation"),
  };
}
