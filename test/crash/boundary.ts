import type {
  Boundary,
  DoubleServer,
  Phase,
  RecordedRequest,
} from "#test/doubles/double-server.ts";

/**
 * Places in a run's traffic with the outside world, counted: the n-th request of an operation at one
 * of its three phases. The counting is per operation, so that requests whose number depends on time
 * do not move the others, and the same place is found again in every run of a scenario. Cosmetic
 * requests ("is typing") are no places: whether they happen depends on time alone.
 */
export interface Place {
  readonly server: string;
  readonly operation: string;
  /** From 1. */
  readonly nth: number;
  readonly phase: Phase;
}

export function placeName({ server, operation, nth, phase }: Place): string {
  return `${server} ${operation}#${nth} ${phase}`;
}

const cosmetic = new Set(["sendChatAction", "assistant.threads.setStatus"]);

/** Watches all doubles of a stage through their gates; one run at a time. */
export class Places {
  /** In the order in which they were passed. */
  readonly passed: Place[] = [];
  /** Called at each place; while it does not resolve, the world stands still there. */
  onPlace: (place: Place) => void | Promise<void> = () => {};
  #numbers = new WeakMap<RecordedRequest, number>();
  readonly #counts = new Map<string, number>();

  constructor(servers: readonly DoubleServer[]) {
    for (const server of servers) server.gate = (boundary) => this.#at(boundary);
  }

  /** Begins a new run; what an earlier one left hanging no longer counts. */
  reset(): void {
    this.passed.length = 0;
    this.#counts.clear();
    this.#numbers = new WeakMap();
    this.onPlace = () => {};
  }

  /** A message of a person on its way to the Worker: a place of its own, kept by who sends it. */
  delivery(): (phase: "received" | "replied") => void {
    const nth = this.#count("platform delivery");
    return (phase) => void this.#pass({ server: "platform", operation: "delivery", nth, phase });
  }

  #at({ server, phase, request }: Boundary): void | Promise<void> {
    const operation = operationOf(request);
    if (cosmetic.has(operation)) return;
    if (phase === "received") this.#numbers.set(request, this.#count(`${server} ${operation}`));
    const nth = this.#numbers.get(request);
    return nth === undefined ? undefined : this.#pass({ server, operation, nth, phase });
  }

  #count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  #pass(place: Place): void | Promise<void> {
    this.passed.push(place);
    return this.onPlace(place);
  }
}

/** The last part of the path: a platform's method, a model's API. */
function operationOf({ path }: RecordedRequest): string {
  return path.split("?")[0]?.split("/").at(-1) ?? "";
}
