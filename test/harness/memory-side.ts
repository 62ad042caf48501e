import type { ModelCall, ScriptedCall } from "#test/doubles/model-script.ts";
import type { Assistant } from "./assistant.ts";
import type { TelegramPerson } from "./telegram-side.ts";
import { eventually } from "./wait.ts";
import { newWord } from "./words.ts";

/**
 * The memory as its owner meets it: told things in a chat, asked in another one, dreamt over, looked at
 * in the bucket. Owners on Telegram and callers of the API are one person to it.
 */
export class MemorySide {
  readonly #home: Assistant;
  readonly #agent: string;

  constructor(home: Assistant, agent = "main") {
    this.#home = home;
    this.#agent = agent;
  }

  /** What a command answers, given over the API. */
  async command(text: string): Promise<string> {
    const reply = await this.#home.api.chat(text, { user: "operator" });
    if (reply.status !== 200) throw new Error(`${text}: ${reply.status} ${reply.body}`);
    return reply.text;
  }

  /** Dreams now and gives what `/dreaming` tells when that night is over. */
  async dream(mode: "run" | "dry" = "run"): Promise<string> {
    const ended = () => this.#home.events("dreaming.ended").length;
    const before = ended();
    await this.command(`/dreaming ${mode}`);
    return this.dreamt(before);
  }

  /** Waits until one more night has ended than `before`. */
  async dreamt(before: number): Promise<string> {
    const over = async () => {
      if (this.#home.events("dreaming.ended").length <= before) return "";
      const status = await this.command("/dreaming");
      return status.includes("under way") ? "" : status;
    };
    return eventually(over, { timeoutMs: 60_000, everyMs: 50, what: "the end of a night" });
  }

  /** Waits until a search shows a text. */
  async finds(words: string, text: string): Promise<string> {
    const found = async () => {
      const rows = await this.command(`/memory search ${words}`);
      return rows.includes(text) ? rows : "";
    };
    return eventually(found, { timeoutMs: 30_000, everyMs: 100, what: `"${text}" for "${words}"` });
  }

  /** Says something, is answered, and gives the requests it made of the model, oldest first. */
  async asks(person: TelegramPerson, text: string): Promise<ModelCall[]> {
    const word = newWord();
    this.#home.model.when(word, (call) => (isLookUp(call) ? none : { text: `heard ${word}` }));
    await person.say(`${text} ${word}`);
    await person.hears(`heard ${word}`);
    return this.#home.model.asked(word);
  }

  /** Has the model call tools in answer to a message, all at once; gives what they answered. */
  async uses(
    person: TelegramPerson,
    calls: readonly ScriptedCall[],
    text = "",
  ): Promise<readonly string[]> {
    const word = newWord();
    const done = { text: `done ${word}` };
    let played = false;
    this.#home.model.when(word, (call) => {
      if (isLookUp(call)) return none;
      if (played) return done;
      played = true;
      return { toolCalls: calls };
    });
    await person.say(`${text} ${word}`.trim());
    await person.hears(done.text);
    const results = this.#home.model.asked(word).at(-1)?.messages.at(-1)?.toolResults ?? [];
    return results.map((result) => result.text);
  }

  /** A file of the workspace as it lies in the bucket; empty if there is none. */
  async file(path: string): Promise<string> {
    const bucket = await this.#home.runtime.bucket("FILES");
    const object = await bucket.get(`agents/${this.#agent}/workspace/${path}`);
    return object ? object.text() : "";
  }

  /** Paths and texts of the workspace's files below a folder. */
  async files(folder = ""): Promise<Map<string, string>> {
    const bucket = await this.#home.runtime.bucket("FILES");
    const root = `agents/${this.#agent}/workspace/`;
    const { objects } = await bucket.list({ prefix: `${root}${folder}` });
    const paths = objects.map(({ key }) => key.slice(root.length));
    return new Map(
      await Promise.all(paths.map(async (path) => [path, await this.file(path)] as const)),
    );
  }

  /** The day's notes of all days, one after another. */
  async notes(): Promise<string> {
    return [...(await this.files("memory/")).values()].join("\n");
  }
}

const none = { text: "NONE" };

/** Is this the search before an answer, and not the turn's own request? */
export function isLookUp({ system }: ModelCall): boolean {
  return system.startsWith("You look things up in a person's memory");
}

/** Is this the request of a night? */
export function isDream({ system }: ModelCall): boolean {
  return system.startsWith("You keep the long-term memory");
}

/** The part of a request's system prompt that stands behind the cache boundary. */
export function volatileOf({ body }: ModelCall): string {
  const system = body["system"] as readonly { readonly text: string; cache_control?: unknown }[];
  const last = system.findLastIndex((block) => block.cache_control !== undefined);
  return system
    .slice(last + 1)
    .map(({ text }) => text)
    .join("\n");
}
