import type { ModelRequest } from "#contract/model.ts";
import type { MemoryEntry } from "#contract/tool.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { handOverNow } from "#core/session/keep-memory.ts";
import { windowIsTainted } from "#core/turn/taint.ts";
import { intentTools } from "#ext/intent-tools/index.ts";
import { memoryTools } from "#ext/memory-tools/index.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { workspaceTools } from "#ext/workspace-tools/index.ts";
import { SessionWorld, silence, type Given, type Move, type Script } from "./session-world.ts";
import type { WholeMemory } from "./whole-memory.ts";
import { timeZone } from "./whole-memory-parts.ts";

/**
 * A conversation with an agent whose memory is a WholeMemory. Everything in it is the product's own, from
 * the inbox on: what is anybody's word, whether the window is tainted, what comes to mind, what tools may
 * do and what is kept afterwards. The model does what it is told here.
 */
export interface Message {
  readonly text: string;
  /** What the model has kept of it. */
  readonly keeps?: readonly MemoryEntry[];
  readonly answer?: string | null;
}

export interface Brought {
  readonly said: string;
  /** As it stands in the prompt. */
  readonly recalled: string;
}

/** A call that a model makes. */
export interface Deed {
  readonly tool: string;
  readonly input: object;
}

/** How what somebody else wrote arrives, with nothing of the owner's own beside it. */
export type Arrival = "forwarded" | "quoted" | "attached" | "in a group";

export interface ChatOptions {
  readonly key?: string;
  /** A chat of somebody else's. */
  readonly isStrangers?: boolean;
  readonly isGroup?: boolean;
  /** Tokens of history that a model is shown. */
  readonly historyTokens?: number;
}

const stranger = { id: "mallory", name: "Mallory", isOwner: false };
const tools = [memoryTools, workspaceTools, intentTools, sessionTools].flatMap((set) => set.tools);

export class Chat {
  readonly brought: Brought[] = [];
  readonly world: SessionWorld;
  readonly #memory: WholeMemory;
  readonly #given: Given;

  constructor(memory: WholeMemory, options: ChatOptions = {}) {
    const { key = "agent:main:web:direct:ada", isStrangers = false, isGroup = false } = options;
    const { historyTokens = 32_000 } = options;
    this.#memory = memory;
    this.#given = isStrangers ? { sender: stranger } : {};
    this.world = new SessionWorld({
      key,
      timeZone,
      isGroup,
      tools,
      now: () => memory.time,
      agent: memory.agent,
      config: { session: { historyTokens } },
      helper: (request) =>
        request.cacheKey.startsWith("flush-") ? lasting(request) : lookedUp(request),
    });
  }

  /** Is anything from outside in the window, as the product sees it? */
  get isTainted(): boolean {
    const sessionId = this.world.store.settings.get("sessionId");
    return typeof sessionId === "string" && windowIsTainted(this.world.ports, { sessionId });
  }

  /** What an owner does who knows that the assistant is careful while others' words are about. */
  async anew(): Promise<void> {
    await this.world.receive("/new");
    await this.#kept();
  }

  /** A message of the owner's and everything that follows from it. */
  async say({ text, keeps = [], answer = null }: Message): Promise<void> {
    const calls = keeps.map((entry) => ({ tool: "memory_write", input: entry }));
    const turn = await this.#receive(text, {}, [
      ...(calls.length === 0 ? [] : [{ calls }]),
      ...(answer === null ? [] : [{ text: answer }]),
    ]);
    this.brought.push({ said: text, recalled: turn?.detail.recalled ?? "" });
  }

  /** The owner has the model do something, all of it at once. False: something was refused. */
  async have(...deeds: readonly Deed[]): Promise<boolean> {
    const turn = await this.#receive("Do that, please", {}, [{ calls: deeds }]);
    const isOfTurn = ({ turnId }: TranscriptEntry) => turnId === turn?.id;
    const done = this.world.store.transcript.page(0, 100_000).filter(isOfTurn);
    const results = done.flatMap((entry) => (entry.role === "tool" ? entry.results : []));
    return results.every(({ isError }) => !isError);
  }

  /** The owner has the model look things up. */
  async search(...queries: readonly string[]): Promise<void> {
    await this.have(...queries.map((query) => ({ tool: "memory_search", input: { query } })));
  }

  /** The same; if somebody else's words are found, the model obeys them. */
  async searchAndObey(query: string, deeds: readonly Deed[]): Promise<void> {
    const moves: Move[] = [{ calls: [{ tool: "memory_search", input: { query } }] }];
    let isRead = false;
    await this.#receive("Do that, please", {}, ({ messages }) => {
      const first = moves.shift();
      if (first) return first;
      const last = messages.at(-1);
      const found = last?.role === "tool" ? JSON.stringify(last.results) : "";
      const isObeyed = deeds.length > 0 && found.includes("<<<EXTERNAL_CONTENT");
      if (isRead || !isObeyed) return silence;
      isRead = true;
      return { calls: deeds };
    });
  }

  /** Somebody else's text, and what a model does that obeys it. */
  async obey(text: string, arrival: Arrival, deeds: readonly Deed[] = []): Promise<void> {
    const script: Move[] = deeds.length === 0 ? [] : [{ calls: deeds }];
    switch (arrival) {
      case "forwarded":
        await this.#receive(text, { forwarded: true }, script);
        return;
      case "quoted": {
        const replyTo = { messageId: "1", text, author: "Mallory", fromSelf: false };
        await this.#receive("", { replyTo }, script);
        return;
      }
      case "attached":
        await this.#receive("", { files: [text] }, script);
        return;
      case "in a group":
        await this.#receive(text, { sender: stranger }, script);
    }
  }

  async #receive(text: string, given: Given, script: Script) {
    const turn = await this.world.receive(text, { ...this.#given, ...given }, script);
    await this.#kept();
    await this.#memory.settled();
    return turn;
  }

  /** At once, so that the next search finds it; the product waits for more of it, or for a night. */
  async #kept(): Promise<void> {
    await handOverNow(this.world.ports);
  }
}

/** All of what it is shown, as if it were facts. */
function lasting({ messages }: ModelRequest): Move {
  const shown = messages.flatMap((message) => (message.role === "user" ? message.content : []));
  const lines = shown.flatMap((part) => (part.type === "text" ? part.text.split("\n") : []));
  const said = lines.filter((line) => line.trim() !== "" && !line.includes("EXTERNAL_CONTENT"));
  return { text: said.map((line) => `FACT: ${line}`).join("\n") };
}

/** Whatever it is shown has a part in what it says. */
function lookedUp({ messages }: ModelRequest): Move {
  const shown = JSON.stringify(messages);
  return { text: `${shown.length} characters, such as ${shown.slice(-120)}` };
}
