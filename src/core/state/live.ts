import type { Bootstrap } from "#contract/agent-port.ts";
import type { TurnEvent } from "#contract/turn.ts";

export interface PartialAnswer {
  readonly turnId: string;
  readonly text: string;
  readonly visible: () => string;
}

/**
 * What exists only while the object is in memory: how to interrupt the step that is running, who
 * watches a turn, and the workspace files last seen. Losing it loses nothing but time.
 */
export class LiveTurns {
  #abort: { readonly turnId: string; readonly controller: AbortController } | null = null;
  readonly #watchers = new Map<string, Set<(event: TurnEvent) => void>>();
  /** By turn: the unfinished text that its watchers have been given. */
  readonly #shown = new Map<string, string>();
  /** Rows whose request is on its way right now. */
  readonly sending = new Set<number>();
  /** A timer will look at the outbox again. */
  drainTimer = false;
  bootstrap: Bootstrap | null = null;
  /** The answer that is being written: what is kept if the turn is stopped, and what may be shown. */
  partial: PartialAnswer | null = null;
  /** What was looked up last, for a message that is tried again at once. */
  lookedUp: {
    readonly question: string;
    /** Whose past it was found in. */
    readonly identity: string;
    readonly at: number;
    readonly found: string | null;
  } | null = null;
  /** Consecutive failures to reach the agent for a lane. */
  laneFailures = 0;
  /** The memory is being given what it is owed. */
  keepingMemory = false;
  /** A part of the transcript is on its way to the archive. */
  puttingAway = false;
  /** Ended contexts that are on their way to the archive. */
  archiving = 0;
  /** When old rows were last looked for. */
  tidiedAt = Number.NEGATIVE_INFINITY;

  /** The controller of the step that now begins. */
  begin(turnId: string): AbortController {
    const controller = new AbortController();
    this.#abort = { turnId, controller };
    return controller;
  }

  end(controller: AbortController): void {
    if (this.#abort?.controller === controller) this.#abort = null;
  }

  /** Interrupts the running step of a turn, if it is running here. */
  abort(turnId: string): void {
    if (this.#abort?.turnId === turnId) this.#abort.controller.abort();
  }

  /**
   * Listens to a turn, or to a message that no turn has taken yet (`messageTopic`). Who comes while an
   * answer is being written is given its beginning first.
   */
  watch(topic: string, listener: (event: TurnEvent) => void): () => void {
    const shown = this.#shown.get(topic) ?? this.#begun(topic);
    if (shown !== "") listener({ type: "text-delta", text: shown });
    const listeners = this.#watchers.get(topic) ?? new Set();
    this.#watchers.set(topic, listeners);
    listeners.add(listener);
    return () => {
      for (const [each, set] of this.#watchers) {
        if (set.delete(listener) && set.size === 0) this.#watchers.delete(each);
      }
    };
  }

  /** The unfinished text that the watchers of a turn have been given. */
  shown(turnId: string): string {
    return this.#shown.get(turnId) ?? "";
  }

  /** What was written while nobody watched. */
  #begun(turnId: string): string {
    if (this.partial?.turnId !== turnId) return "";
    const text = this.partial.visible();
    if (text !== "") this.#shown.set(turnId, text);
    return text;
  }

  /** Whoever waits for these messages now watches the turn that took them. */
  bind(seqs: readonly number[], turnId: string): void {
    for (const seq of seqs) {
      const waiting = this.#watchers.get(messageTopic(seq));
      if (!waiting) continue;
      this.#watchers.delete(messageTopic(seq));
      const listeners = this.#watchers.get(turnId) ?? new Set();
      for (const listener of waiting) listeners.add(listener);
      this.#watchers.set(turnId, listeners);
    }
  }

  /** Messages went back to the queue: whoever watched their turn waits for them again. */
  release(turnId: string, seqs: readonly number[]): void {
    const listeners = this.#watchers.get(turnId);
    const first = seqs[0];
    if (!listeners || first === undefined) return;
    this.#watchers.delete(turnId);
    this.#watchers.set(messageTopic(first), listeners);
  }

  watched(topic: string): boolean {
    return this.#watchers.has(topic);
  }

  emit(topic: string, event: TurnEvent): void {
    if (event.type === "text-delta") {
      this.#shown.set(topic, (this.#shown.get(topic) ?? "") + event.text);
    } else if (event.type !== "tool") {
      this.#shown.delete(topic);
    }
    for (const listener of this.#watchers.get(topic) ?? []) listener(event);
  }
}

/** The topic of a message in the inbox. */
export function messageTopic(seq: number): string {
  return `message:${seq}`;
}
