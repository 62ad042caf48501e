import { Runtime, type Bucket } from "#test/harness/runtime.ts";
import { settled, temporaryDirectory } from "#test/harness/wait.ts";
import type { Doubles } from "./doubles.ts";
import { Poster } from "./post.ts";
import { processorMs, runtimePids } from "./processor.ts";

/**
 * One running Worker, the product or the floor, as a chat platform sees it: a webhook that takes
 * messages, and answers that arrive at the platform.
 */
export interface SiteOptions {
  readonly name: string;
  readonly doubles: Doubles;
  readonly owner: number;
  readonly vars: Readonly<Record<string, string>>;
  readonly config: string;
  readonly gatewayToken: string;
  /** Header that proves that an update comes from the platform. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TurnTime {
  /** From the webhook's departure to the arrival of the answer, less the model double's own time. */
  readonly overheadMs: number;
  readonly acknowledgedMs: number;
}

type Home = ReturnType<typeof temporaryDirectory>;

export class Site {
  readonly name: string;
  readonly #options: SiteOptions;
  readonly #runtime: Runtime;
  readonly #home: Home;
  readonly #poster = new Poster();
  readonly #pid: number | undefined;
  #updates = 0;

  private constructor(options: SiteOptions, runtime: Runtime, home: Home, pid?: number) {
    this.name = options.name;
    this.#options = options;
    this.#runtime = runtime;
    this.#home = home;
    this.#pid = pid;
  }

  static async start(options: SiteOptions): Promise<Site> {
    const home = temporaryDirectory();
    const { vars, config } = options;
    const before = runtimePids();
    const runtime = await Runtime.start({ directory: home.path, vars, config });
    const pid = runtimePids().find((id) => !before.includes(id));
    return new Site(options, runtime, home, pid);
  }

  /** Delivers a message; resolves when the Worker has said that it has it. */
  async say(topic: number, text: string): Promise<void> {
    const id = ++this.#updates;
    const url = `${this.#runtime.url}/webhooks/telegram`;
    const body = update(id, { chat: this.#options.owner, topic, text });
    const status = await this.#poster.post(url, this.#options.headers, body);
    if (status !== 200) throw new Error(`${this.name} answered ${status} to a message`);
  }

  /** One message and its answer; nothing else must be under way. */
  async turn(topic: number, text: string): Promise<TurnTime> {
    const { doubles } = this.#options;
    const answered = doubles.nextSend(topic);
    const from = clock();
    await this.say(topic, text);
    const acknowledgedMs = clock() - from;
    const arrived = await inTime(answered, `${this.name}: no answer`);
    return { overheadMs: arrived - from - doubles.lastModelMs, acknowledgedMs };
  }

  /** Processor time of the runtime so far in milliseconds; NaN where the system does not tell. */
  processorMs(): number {
    return (this.#pid === undefined ? undefined : processorMs(this.#pid)) ?? Number.NaN;
  }

  /** How many entries the product has stored of a conversation, counted in its export. */
  async storedEntries(topic: number): Promise<number> {
    const headers = { authorization: `Bearer ${this.#options.gatewayToken}` };
    const listed = await this.#runtime.fetch("/sessions", { headers });
    const { sessions } = (await listed.json()) as { sessions: { sessionKey: string }[] };
    const key = sessions.find(({ sessionKey }) =>
      sessionKey.endsWith(`:thread:${topic}`),
    )?.sessionKey;
    const path = `/sessions/${encodeURIComponent(key ?? "")}/export`;
    const text = await (await this.#runtime.fetch(path, { headers })).text();
    // The first line is a header.
    return text.split("\n").filter((line) => line !== "").length - 1;
  }

  /** What a command answers, in a conversation over the API. */
  async command(text: string): Promise<string> {
    const { gatewayToken } = this.#options;
    const response = await this.#runtime.fetch("/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${gatewayToken}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "pagurus",
        user: "bench",
        messages: [{ role: "user", content: text }],
      }),
    });
    const reply = (await response.json()) as { choices?: { message: { content: string } }[] };
    return reply.choices?.[0]?.message.content ?? "";
  }

  /** The bucket, beside the Worker. */
  bucket(): Promise<Bucket> {
    return this.#runtime.bucket("FILES");
  }

  /** Resolves when no answers have arrived for a while: what was under way is done. */
  async quiet(forMs = 1_500): Promise<void> {
    await settled(() => this.#options.doubles.sent, forMs, 120_000);
  }

  /** Warnings and errors in the Worker's log, the first few: figures of a broken run mean nothing. */
  complaints(): string[] {
    const bad = this.#runtime.logs.filter(({ level }) =>
      ["warn", "error", "runtime"].includes(level),
    );
    return bad.slice(0, 5).map(({ message }) => message.slice(0, 300));
  }

  async stop(): Promise<void> {
    this.#poster.close();
    await this.#runtime.stop();
    this.#home.remove();
  }
}

function clock(): number {
  return performance.timeOrigin + performance.now();
}

interface Said {
  readonly chat: number;
  readonly topic: number;
  readonly text: string;
}

function update(id: number, { chat, topic, text }: Said): object {
  return {
    update_id: id,
    message: {
      message_id: id,
      date: Math.floor(Date.now() / 1000),
      chat: { id: chat, type: "private", first_name: "Sam" },
      from: { id: chat, is_bot: false, first_name: "Sam" },
      message_thread_id: topic,
      is_topic_message: true,
      text,
    },
  };
}

const LONGEST_MS = 60_000;

async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(what)), LONGEST_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
