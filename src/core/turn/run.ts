import type { Turn } from "#contract/turn.ts";
import type { Runner } from "#core/state/fence.ts";
import type { SessionPorts } from "#core/state/ports.ts";

/** One step of one turn, under way: the ports, the fence it holds, and how to interrupt it. */
export interface Run {
  readonly ports: SessionPorts;
  readonly runner: Runner;
  readonly turn: Turn;
  readonly signal: AbortSignal;
}
