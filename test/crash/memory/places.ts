import { z } from "zod";
import { DoubleServer, type Boundary, type Reply } from "#test/doubles/double-server.ts";
import type { RecordedRequest } from "#test/doubles/double-server.ts";
import { VectorizeDouble } from "#test/doubles/vectorize-binding.ts";

/**
 * The other side of held-worker.mjs: where each agent's memory is in its work, and the places at which
 * agents stand still, for good, to be killed there. A place is the n-th time something is about to happen
 * or has happened, such as `after put workspace/MEMORY.md#1`, counted from `begin`.
 */
const restSchema = z.object({
  night: z.string().nullable(),
  forget: z.string().nullable(),
  dirty: z.array(z.string()),
});
const namesSchema = z.array(z.string());

/** Of the embedder that ships with the project. */
const DIMENSIONS = 100;

export class Track {
  /** In the order in which they were passed; empty until `begin`. */
  readonly passed: string[] = [];
  /** Where it is to stand still. */
  wanted: string | null = null;
  isHeld = false;
  /** Nothing was left to do after its latest alarm, and nothing has begun since. */
  isAtRest = false;
  readonly #counts = new Map<string, number>();
  #steps = 0;
  #atBegin: ReadonlyMap<string, number> | null = null;

  begin(): void {
    this.#atBegin = new Map(this.#counts);
    this.isAtRest = false;
  }

  /** How often, also before `begin`. */
  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Grows with all it does: what stays the same for long stands still. */
  get steps(): number {
    return this.#steps;
  }

  /** True: it has come to where it is to stand still. */
  pass(name: string): boolean {
    const count = this.count(name) + 1;
    this.#counts.set(name, count);
    this.#steps += 1;
    if (/^alarm | (?:put|delete) /.test(name)) this.isAtRest = false;
    if (!this.#atBegin) return false;
    const place = `${name}#${count - (this.#atBegin.get(name) ?? 0)}`;
    this.passed.push(place);
    return place === this.wanted;
  }

  /**
   * The Worker was killed: there is nothing more to stand still at. Who was at rest stays so, as nothing is
   * left that would wake it: what a conversation stood still at may have been done again meanwhile.
   */
  release(): void {
    this.wanted = null;
  }
}

export class MemoryPlaces extends DoubleServer {
  /** All agents', each in namespaces of its own. */
  readonly vectorize = new VectorizeDouble(DIMENSIONS);
  readonly #tracks = new Map<string, Track>();

  constructor() {
    super("memory places");
    this.gate = (boundary) => this.#stand(boundary);
  }

  track(agent: string): Track {
    const known = this.#tracks.get(agent) ?? new Track();
    this.#tracks.set(agent, known);
    return known;
  }

  protected override async handle({ path, json }: RecordedRequest): Promise<Reply> {
    const [, agent = "", kind, method] = path.split("/");
    if (kind === "rest") {
      const { night, forget, dirty } = restSchema.parse(json);
      this.track(agent).isAtRest = night === null && forget === null && dirty.length === 0;
    }
    const answer = kind === "vectorize" ? await this.#vectorize(method, json) : {};
    return { body: JSON.stringify(answer) };
  }

  async #vectorize(method: string | undefined, argument: unknown): Promise<unknown> {
    const index = this.vectorize;
    const change = async (work: Promise<{ mutationId: string }>) => {
      const accepted = await work;
      index.settle();
      return accepted;
    };
    switch (method) {
      case "query":
        return index.query(...(argument as Parameters<VectorizeDouble["query"]>));
      case "upsert":
        return change(index.upsert(argument as Parameters<VectorizeDouble["upsert"]>[0]));
      case "deleteByIds":
        return change(index.deleteByIds(argument as string[]));
      default:
        return index.describe();
    }
  }

  #stand(boundary: Boundary): void | Promise<void> {
    const [, agent = ""] = boundary.request.path.split("/");
    const track = this.track(agent);
    const isThere = namesAt(boundary).map((name) => track.pass(sameForAll(name)));
    if (!isThere.includes(true)) return undefined;
    track.isHeld = true;
    return new Promise(() => {});
  }
}

function namesAt({ phase, request: { path, json } }: Boundary): string[] {
  const [, , kind, method = ""] = path.split("/");
  if (kind === "place" && phase === "received") return namesSchema.parse(json);
  if (kind !== "vectorize" || !["upsert", "deleteByIds"].includes(method)) return [];
  if (phase === "replied") return [];
  return [`${phase === "received" ? "before" : "after"} ${method}`];
}

/** Without what differs from agent to agent and from run to run. */
function sameForAll(name: string): string {
  return name
    .replaceAll(/\d{4}-\d\d-\d\d/g, "DAY")
    .replace(/\.pagurus\/(provenance|versions)\/(.*)\/[^/]*$/, "$1 of $2")
    .replace(/\.pagurus\/transcripts\/.*$/, "transcript")
    .replace(/sessions\/.*$/, "archive");
}
