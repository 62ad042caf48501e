import { z } from "zod";
import type { Assistant } from "#test/harness/assistant.ts";
import { indexRows } from "#test/harness/index-rows.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";
import type { MemoryPlaces, Track } from "./places.ts";

export interface Stand {
  readonly files: ReadonlyMap<string, string>;
  readonly index: string;
}

const standSchema = z.object({
  files: z.array(z.tuple([z.string(), z.string()])),
  rows: z.array(z.array(z.unknown())),
});

/** One agent with a memory of its own, and its owner, who reaches it over the API. */
export class MemoryAgent {
  readonly id: string;
  readonly track: Track;
  /** Of what its owner tells it: words that nothing else has. */
  readonly boat = newWord();
  readonly dog = newWord();
  /** Id of what it has offered to forget. */
  offer = "";
  readonly #home: Assistant;
  readonly #places: MemoryPlaces;

  constructor(id: string, home: Assistant, places: MemoryPlaces) {
    this.id = id;
    this.track = places.track(id);
    this.#home = home;
    this.#places = places;
  }

  /** In one of the owner's conversations. */
  async say(text: string, user = "phone"): Promise<string> {
    const { status, text: answer } = await this.#home.api.chat(text, {
      user,
      extra: { model: `pagurus/${this.id}` },
    });
    if (status !== 200) throw new Error(`${this.id}: ${status} for ${text}`);
    return answer;
  }

  /** Tells it something, and waits until that stands in a note and in the index. */
  async learn(fact: string): Promise<void> {
    const { track } = this;
    const note = "after put workspace/memory/DAY.md";
    const before = track.count(note);
    await this.say(`Please remember that ${fact}.`);
    await this.#comes(() => track.count(note) > before && track.isAtRest, fact);
  }

  async search(words: string): Promise<string> {
    return this.sayUntilWhole(`/memory search ${words}`);
  }

  /**
   * Said at the desk until the answer is whole: what a conversation hands over may come at any time, also
   * what was asked just now, and on a busy machine the memory asks for patience.
   */
  async sayUntilWhole(text: string): Promise<string> {
    for (let tries = 0; tries < 40; tries += 1) {
      await this.rests();
      const answer = await this.say(text, "desk");
      if (!/not indexed yet|does not answer right now/.test(answer)) return answer;
    }
    throw new Error(`${this.id}: there is no whole answer to ${text}`);
  }

  /** Dreams, and tells what became of it. */
  async dream(): Promise<string> {
    const { track } = this;
    const before = track.count("alarm night done");
    await this.say("/dreaming run", "desk");
    await this.#comes(() => track.count("alarm night done") > before && track.isAtRest, "a night");
    return this.say("/dreaming", "desk");
  }

  /** All objects of the bucket that are its own, by their names within it, and all rows derived of it. */
  async stand(): Promise<Stand> {
    const response = await this.#home.runtime.fetch("/held", {
      method: "POST",
      body: JSON.stringify({ agent: this.id, queries: indexRows }),
    });
    const { files, rows } = standSchema.parse(await response.json());
    return { files: new Map(files), index: JSON.stringify(rows) };
  }

  /** Drops the index, and waits until it is built again of the files. */
  async rebuild(): Promise<Stand> {
    await this.sayUntilWhole("/memory index force");
    // Nothing waits, and it is not looking for more.
    const whole = /^Sources: \d+, passages: \d+\.$/m;
    const isBuilt = async () => whole.test(await this.say("/memory status", "desk"));
    await eventually(isBuilt, {
      timeoutMs: 180_000,
      everyMs: 1_000,
      what: `${this.id}: the index`,
    });
    return this.stand();
  }

  /** Waits until nothing is left to do. */
  async rests(): Promise<void> {
    await this.#comes(() => this.track.isAtRest, "rest");
  }

  #comes(isThere: () => boolean, what: string): Promise<true> {
    return eventually(isThere, {
      timeoutMs: 180_000,
      sign: () => this.track.steps,
      everyMs: 50,
      what: `${this.id}: ${what}`,
    });
  }

  /** Ids of its vectors in the index beside the database. */
  vectors(): string[] {
    return this.#places.vectorize.seenIn([this.id, `${this.id}/outside`]);
  }
}
