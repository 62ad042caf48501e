import type { WakeAnswer, WakeReason } from "#contract/agent-rpc.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { nextWorkAt } from "./work.ts";

/**
 * Somebody thinks this session may have something to do (the sweeper, a freed lane). Re-arms the alarm
 * if so; otherwise says that it rests, and forgets its busy mark in the same breath. A turn that was
 * refused a lane need not wait out its time when one is free.
 */
export function wake(ports: SessionPorts, reason: WakeReason): WakeAnswer {
  const { settings, turns } = ports.store;
  const turn = reason === "lane" ? turns.running() : null;
  if (turn && turn.nextAt > ports.now()) turns.update(turn.id, { nextAt: ports.now() });
  const at = nextWorkAt(ports);
  if (at === null) setSetting(settings, "busy", false);
  else ports.store.setAlarm(Math.max(at, ports.now()));
  return { idle: at === null, mark: getSetting(settings, "busyMark") ?? 0 };
}
