import type { SessionPorts } from "./ports.ts";
import { getSetting, setSetting } from "./settings.ts";
import { nextWorkAt } from "./work.ts";

export interface WakeAnswer {
  /** Nothing is open: the busy mark may go, if it still is `mark`. */
  readonly idle: boolean;
  readonly mark: number;
}

/**
 * Somebody thinks this session may have something to do (the sweeper, a freed lane). Re-arms the alarm
 * if so; otherwise says that it rests, and forgets its busy mark in the same breath.
 */
export function wake(ports: SessionPorts): WakeAnswer {
  const { settings } = ports.store;
  const at = nextWorkAt(ports);
  if (at === null) setSetting(settings, "busy", false);
  else ports.store.setAlarm(Math.max(at, ports.now()));
  return { idle: at === null, mark: getSetting(settings, "busyMark") ?? 0 };
}
