import type {
  Boundary,
  DoubleServer,
  Phase,
  RecordedRequest,
} from "#test/doubles/double-server.ts";

/**
 * Places in a conversation's traffic with the outside world, counted: the n-th request of an operation
 * at one of its three phases. The counting is per operation, so that requests whose number depends on
 * time do not move the others, and the same place is found again in every run of a scenario. Cosmetic
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

/** A message on its way to the Worker: a place that whoever sends it keeps, not a double. */
export function isDelivery({ server }: Place): boolean {
  return server === "platform";
}

type OnPlace = (place: Place) => void | Promise<void>;

/** The places of one conversation. */
export class Track {
  /** In the order in which they were passed. */
  readonly passed: Place[] = [];
  /** Called at each place; while it does not resolve, the other side stands still there. */
  onPlace: OnPlace = () => {};
  /** Called before each message of the person; it leaves when this has resolved. */
  beforeDelivery: (nth: number) => void | Promise<void> = () => {};
  readonly #names: Set<string>;
  readonly #counts = new Map<string, number>();

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  /** Requests that hold this text belong to the conversation. */
  know(name: string): void {
    this.#names.add(name);
  }

  isIn(text: string): boolean {
    return [...this.#names].some((name) => text.includes(name));
  }

  count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  pass(place: Place): void | Promise<void> {
    this.passed.push(place);
    return this.onPlace(place);
  }

  /** The next message of the person: when it may leave, and how it says where it is. */
  async delivery(): Promise<(phase: "received" | "replied") => void> {
    const nth = this.count("platform delivery");
    await this.beforeDelivery(nth);
    return (phase) => void this.pass({ server: "platform", operation: "delivery", nth, phase });
  }
}

const cosmetic = new Set(["sendChatAction", "assistant.threads.setStatus"]);

/** Watches all doubles of a stage through their gates and tells the conversations apart. */
export class Places {
  readonly #tracks = new Set<Track>();
  readonly #known = new WeakMap<RecordedRequest, { track: Track; nth: number }>();

  constructor(servers: readonly DoubleServer[]) {
    for (const server of servers) server.gate = (boundary) => this.#at(boundary);
  }

  follow(track: Track): void {
    this.#tracks.add(track);
  }

  forget(track: Track): void {
    this.#tracks.delete(track);
  }

  #at({ server, phase, request }: Boundary): void | Promise<void> {
    const operation = operationOf(request);
    if (cosmetic.has(operation)) return undefined;
    if (phase === "received") {
      const track = [...this.#tracks].find((one) => one.isIn(request.text));
      if (track) this.#known.set(request, { track, nth: track.count(`${server} ${operation}`) });
    }
    const known = this.#known.get(request);
    return known?.track.pass({ server, operation, nth: known.nth, phase });
  }
}

/** The last part of the path: a platform's method, a model's API. */
function operationOf({ path }: RecordedRequest): string {
  return path.split("?")[0]?.split("/").at(-1) ?? "";
}
