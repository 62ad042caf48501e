import type { Answer, AskRequest, FilesRequest } from "./protocol.ts";

/** What a search costs with a memory of some size: time, and rows that D1 says it read. */
export interface CostRig {
  readonly index: (request: FilesRequest) => Promise<{ passages: number }>;
  readonly ask: (request: AskRequest) => Promise<Answer[]>;
  readonly call: <Result>(path: string, body: object) => Promise<Result>;
}

const sizes = [1_000, 10_000, 50_000];
const LINES = 50;
const QUESTIONS = 30;
const VOCABULARY = 20_000;
const FLAT = 50;

export async function costFigures({ index, ask, call }: CostRig): Promise<void> {
  for (const size of sizes) {
    const agent = `cost-${size}`;
    const words = new Words(size);
    let passages = 0;
    for (let file = 0; passages < size; file += 20) {
      const files = Array.from(
        { length: Math.min(20, Math.ceil((size - passages) / LINES)) },
        (_, at) => ({
          path: `memory/x${file + at}.md`,
          text: Array.from({ length: LINES }, () => `- ${words.take(18)}`).join("\n"),
        }),
      );
      passages += (await index({ agent, files })).passages;
      if (file % 200 === 0) console.error(`  cost: ${passages} of ${size} passages`);
    }
    const questions = Array.from({ length: QUESTIONS }, () => words.take(6));
    for (const mode of ["keyword", "hybrid"] as const) {
      const answers = await ask({ agent, mode, unit: "notes", today: "2026-01-01", questions });
      const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
      line({
        figure: "memory.search",
        mode,
        passages,
        n: times.length,
        unit: "ms",
        ...middle(times),
      });
    }
    const reads: number[] = [];
    for (const text of questions.slice(0, 10)) {
      reads.push((await call<{ read: number }>("/cost", { agent, text })).read);
    }
    const value = reads.toSorted((a, b) => a - b)[5];
    line({
      figure: "memory.rows_read",
      mode: "keyword",
      passages,
      n: 10,
      unit: "rows",
      p50: value,
    });
  }
}

function middle(times: readonly number[]) {
  const at = (share: number) =>
    Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95) };
}

function line(figure: object): void {
  console.log(JSON.stringify(figure));
}

/**
 * Words about as frequent as those of a language are once its stop words are out: of rank r in
 * proportion to 1 / (r + 50), of 20,000, so that the commonest are in a few of a hundred passages. The
 * same in each run.
 */
class Words {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  take(count: number): string {
    return Array.from({ length: count }, () => this.#word()).join(" ");
  }

  #word(): string {
    const share = this.#next();
    const rank = Math.floor(FLAT * ((VOCABULARY + FLAT) / FLAT) ** share - FLAT);
    const letters = "bcdfghklmnprstvz";
    const vowels = "aeiou";
    let word = "";
    for (let rest = rank + 80; rest > 0; rest = Math.floor(rest / 80)) {
      word += `${letters[rest % 16] ?? ""}${vowels[Math.floor(rest / 16) % 5] ?? ""}`;
    }
    return word;
  }

  /** mulberry32, in [0, 1). */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
