import type { QueueMode } from "#contract/config.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting } from "./settings.ts";

/** The conversation's own queue mode (`/queue`), else the configured one. */
export function queueMode(ports: SessionPorts): QueueMode {
  return getSetting(ports.store.settings, "queueMode") ?? ports.config.queue.mode;
}
