import type { AgentPort } from "#contract/agent-port.ts";
import type { Channel, FetchedMedia } from "#contract/channel.ts";
import { configSchema, type Config } from "#contract/config.ts";
import type { InboundMessage } from "#contract/message.ts";
import type { AssistantPart, ModelEvent, ModelInfo, ModelRequest } from "#contract/model.ts";
import { err, ok } from "#contract/result.ts";
import type { Tool } from "#contract/tool.ts";
import type { Turn } from "#contract/turn.ts";
import { accept } from "#core/session/accept.ts";
import { work } from "#core/session/work.ts";
import { LiveTurns } from "#core/state/live.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { noUsage } from "#kit/model/ending.ts";
import { WholeSessionStore } from "./session-rows.ts";

/**
 * A conversation with everything real from the inbox to the outbox: queue, turns, taint, recall, tools
 * and what is kept afterwards run as in the product, over storage in memory. Not here: platforms, lanes
 * and alarms. The clock is the caller's, and waits cost no time.
 */
export interface Move {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: object }[];
}

/** What a model answers: moves in order for the calls of a turn, and at last that it is silent. */
export type Script = readonly Move[] | ((request: ModelRequest) => Move);

export interface SessionWorldOptions {
  readonly key: string;
  readonly now: () => number;
  readonly agent: Partial<AgentPort>;
  readonly tools: readonly Tool[];
  readonly timeZone?: string;
  /** Of a group, where others write as well. */
  readonly isGroup?: boolean;
  readonly config?: object;
  readonly model?: Partial<ModelInfo>;
  /** Answers what is no part of a turn: looking something up, noting what left the window. */
  readonly helper?: (request: ModelRequest) => Move;
}

/** What a message has beside the words. */
export type Given = Partial<InboundMessage> & {
  /** Texts of files that come with it. */
  readonly files?: readonly string[];
  /** Not addressed: said in a group. */
  readonly overheard?: boolean;
};

export const silence: Move = { calls: [{ tool: "stay_silent", input: {} }] };
const quiet = { info() {}, warn() {}, error() {} };

const usualModel: ModelInfo = {
  id: "model",
  contextWindow: 200_000,
  maxOutputTokens: 4_000,
  thinkingLevels: ["off"],
  images: false,
};

export class SessionWorld {
  readonly store: WholeSessionStore;
  readonly ports: SessionPorts;
  /** Every request of a turn's own. */
  readonly requests: ModelRequest[] = [];
  /** Every other one. */
  readonly helperRequests: ModelRequest[] = [];
  readonly #options: SessionWorldOptions;
  readonly #files = new Map<string, string>();
  readonly #background: Promise<unknown>[] = [];
  #script: Script = [];
  #moves = 0;
  #count = 0;
  #ids = { now: 0, count: 0 };

  constructor(options: SessionWorldOptions) {
    this.#options = options;
    this.store = new WholeSessionStore(options.now);
    this.ports = this.#open();
  }

  /** A message, and everything that follows from it. The turn it was answered in, if it was. */
  async receive(text: string, given: Given = {}, script: Script = []): Promise<Turn | null> {
    const { files = [], overheard = false, ...change } = given;
    const message = { ...this.#message(text, files), ...change };
    this.#script = script;
    this.#moves = 0;
    const { seq } = await accept(this.ports, { message, ...(overheard ? { buffer: true } : {}) });
    await this.settled();
    const turnId = this.store.inbox.get(seq)?.turnId;
    return turnId ? this.store.turns.get(turnId) : null;
  }

  /** Until the alarm has nothing to do any more. */
  async settled(): Promise<void> {
    for (let runs = 0; ; runs += 1) {
      while (this.#background.length > 0) await Promise.all(this.#background.splice(0));
      const { alarm } = this.store;
      if (alarm === null || alarm > this.#options.now()) return;
      if (runs > 200) throw new Error("the conversation does not come to rest");
      this.store.setAlarm(Number.POSITIVE_INFINITY);
      await work(this.ports);
    }
  }

  #open(): SessionPorts {
    const { key, now, agent, tools, timeZone = "UTC", config = {} } = this.#options;
    const info: ModelInfo = { ...usualModel, ...this.#options.model };
    const media = new Map<string, FetchedMedia>();
    const archived = new Map<number, string>();
    const provider = {
      id: "script",
      models: [info],
      defaultModel: "model",
      describe: () => info,
      stream: (request: ModelRequest) => this.#stream(request),
    };
    const parts: Omit<SessionPorts, "agent"> & { agent: Partial<AgentPort> } = {
      key,
      agentId: "main",
      store: this.store,
      config: configSchema.parse(config) as Config,
      timeZone,
      channel: () => this.#channel(),
      models: { resolve: () => ok({ name: "script/model", provider, info }), list: () => [] },
      tools,
      agent: {
        markBusy: async () => {},
        endTurn: async () => {},
        forgetSession: async () => {},
        pinSession: async () => {},
        findSession: async () => null,
        listSessions: async () => [],
        ...agent,
      },
      media: {
        put: async (name, file) => void media.set(name, file),
        get: async (name) => media.get(name) ?? null,
      },
      parts: {
        put: async (first, text) => void archived.set(first, text),
        get: async (first) => archived.get(first) ?? null,
        list: async (after) => [...archived.keys()].filter((first) => first > after),
      },
      peers: { deliver: async () => err("there is nobody else"), history: async () => null },
      origins: { find: async () => null, decide: async (_place, origin) => origin },
      timers: { after: () => () => {}, sleep: async () => {} },
      live: new LiveTurns(),
      log: quiet,
      now,
      newId: () => `${key}-${this.#id()}`,
      bootId: "boot",
      background: (task) => void this.#background.push(task),
      erase: async () => {},
    };
    return parts as SessionPorts;
  }

  /** By the time alone, so that it does not tell what went before. */
  #id(): string {
    const now = this.#options.now();
    this.#ids = this.#ids.now === now ? { now, count: this.#ids.count + 1 } : { now, count: 1 };
    return `${now}.${this.#ids.count}`;
  }

  async *#stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const content = this.#answer(request);
    const isCalling = content.some(({ type }) => type === "tool-call");
    yield {
      type: "finish",
      stopReason: isCalling ? "tool-calls" : "end",
      message: { role: "assistant", content },
      usage: noUsage,
    };
  }

  #answer(request: ModelRequest): AssistantPart[] {
    const isHelper = /^flush-|:recall\./.test(request.cacheKey);
    (isHelper ? this.helperRequests : this.requests).push(request);
    const { text, calls = [] } = isHelper ? this.#helped(request) : this.#moved(request);
    return [
      ...(text === undefined ? [] : [{ type: "text" as const, text }]),
      ...calls.map(({ tool, input }) => ({
        type: "tool-call" as const,
        id: `call-${(this.#count += 1)}`,
        name: tool,
        arguments: JSON.stringify(input),
      })),
    ];
  }

  #helped(request: ModelRequest): Move {
    return this.#options.helper?.(request) ?? { text: "NONE" };
  }

  #moved(request: ModelRequest): Move {
    if (typeof this.#script === "function") return this.#script(request);
    return this.#script[this.#moves++] ?? silence;
  }

  #message(text: string, files: readonly string[]): InboundMessage {
    const { now, isGroup = false } = this.#options;
    const id = `m${(this.#count += 1)}`;
    const place = { channel: "web", account: "default" };
    const attachments = files.map((content, index) => {
      const ref = `${id}.${index}`;
      this.#files.set(ref, content);
      return { kind: "file" as const, ref, mimeType: "text/plain", name: "notes.txt" };
    });
    return {
      ...place,
      route: { ...place, conversation: "ada", kind: isGroup ? "group" : "direct" },
      sender: { id: "ada", name: "Ada", isOwner: true },
      text,
      attachments,
      forwarded: false,
      mentionsSelf: true,
      deliveryId: id,
      platformMessageId: id,
      sentAt: now(),
      receivedAt: now(),
    };
  }

  #channel(): Channel {
    const capabilities = {
      textLimit: 1_000_000,
      previewIntervalMs: 1_000,
      buttons: true,
      caseSensitiveIds: false,
      description: "",
    };
    return {
      id: "web",
      account: "default",
      capabilities,
      render: ({ text, buttons = [] }) => [{ payload: { buttons: buttons.flat() }, text }],
      send: async (_part, _route, { deliveryId }) => ({ status: "sent", messageId: deliveryId }),
      fetchAttachment: async (ref) =>
        ok({
          bytes: new TextEncoder().encode(this.#files.get(ref) ?? ""),
          mimeType: "text/plain",
          name: "notes.txt",
        }),
    } as Partial<Channel> as Channel;
  }
}
