import type { LineOrigin } from "#contract/provenance.ts";
import type { NoteEntry } from "#contract/memory.ts";
import type { MemoryEntry, MemoryReceipt, Tool, ToolContext } from "#contract/tool.ts";
import { captures } from "#core/memory/capture.ts";
import { asksToRemember } from "#core/memory/asks-to-remember.ts";
import { changeDirective } from "#core/memory/change-directive.ts";
import { intentsIn } from "#core/memory/intent.ts";
import { touchedDirectives } from "#core/memory/touched-directives.ts";
import { matchTriggers } from "#core/memory/trigger.ts";
import { wrapExternal } from "#kit/external-content.ts";
import { mayChange } from "#kit/protected-paths.ts";
import { timeZone, type WholeMemory } from "./whole-memory.ts";

/**
 * An owner's conversation with an agent whose memory is a WholeMemory: what code does with each message,
 * and what a model may do with the product's own tools. The model itself is whoever calls.
 */
export interface Message {
  readonly text: string;
  /** Something from outside is in the window already. */
  readonly tainted?: boolean;
  /** What the model has kept of it. */
  readonly keeps?: readonly MemoryEntry[];
  readonly answer?: string;
}

export interface Brought {
  readonly said: string;
  readonly entries: readonly string[];
  readonly directives: readonly string[];
  readonly intents: readonly string[];
}

const identity = "ada";

export class Chat {
  readonly brought: Brought[] = [];
  readonly #memory: WholeMemory;
  readonly #session: string;
  readonly #isOwners: boolean;
  #seq = 0;
  #calls = 0;

  /** `session`: another place than the owner's direct chat, where no turn is an owner's own. */
  constructor(memory: WholeMemory, session?: string) {
    this.#memory = memory;
    this.#session = session ?? "agent:main:web:direct:ada";
    this.#isOwners = session === undefined;
  }

  /** A message of the owner's and everything that follows from it. */
  async say({ text, tainted = false, keeps = [], answer }: Message): Promise<void> {
    const at = this.#memory.time;
    this.brought.push(await this.bringsToMind(text));
    const words: LineOrigin = { trust: "owner", ...this.#entry(at) };
    for (const entry of keeps) await this.#keep(entry, { at, tainted, text, words });
    await this.#capture(text, words);
    await this.#ingest("user", text, words);
    if (answer === undefined) return;
    await this.#ingest("assistant", answer, {
      trust: tainted ? "untrusted" : "agent",
      ...this.#entry(at),
    });
  }

  /** What is put before the model with such a message. */
  async bringsToMind(said: string): Promise<Brought> {
    const curated = (await this.#memory.bootstrap())?.curated ?? [];
    const isUser = ({ path }: { path: string }) => path === "USER.md";
    const entries = curated.filter((entry) => entry.active && !isUser(entry));
    const armed = this.#memory.intents.armed();
    return {
      said,
      entries: matchTriggers(said, entries, []).map(({ entry }) => entry.text),
      directives: touchedDirectives(said, curated.filter(isUser)),
      intents: intentsIn(said, armed, this.#memory.time).map(({ when, action }) => when + action),
    };
  }

  /** A line of the conversation that is not the owner's: forwarded, quoted, of a tool, of the product. */
  async overhear(text: string, trust: "untrusted" | "system"): Promise<void> {
    const role = trust === "system" ? "assistant" : "user";
    await this.#ingest(role, text, { trust, ...this.#entry(this.#memory.time) });
  }

  async search(text: string, tainted = false) {
    const asker = { sessionKey: this.#session, identity, counts: !tainted };
    const answer = await this.#memory.search({ text, asker });
    await this.#memory.settled();
    return answer.rows;
  }

  /** Calls one of the product's tools, as a turn with these facts would. */
  async call(tool: Tool | undefined, input: object, tainted: boolean): Promise<boolean> {
    if (!tool) throw new Error("no such tool");
    const context = this.#context(tainted);
    const outcome = await tool.execute(tool.parameters.parse(input), context);
    return outcome.isError !== true;
  }

  #context(tainted: boolean): ToolContext {
    const memory = this.#memory;
    const at = memory.time;
    const words: LineOrigin = { trust: "owner", ...this.#entry(at) };
    const asker = { sessionKey: this.#session, identity, counts: !tainted };
    const refused = { ok: false as const, reason: "not here" };
    return {
      operationId: this.#operation(),
      sessionKey: this.#session,
      sender: { id: "1", name: "Ada", isOwner: this.#isOwners },
      interactiveOwner: this.#isOwners,
      tainted,
      now: at,
      signal: new AbortController().signal,
      workspace: {
        ...memory.files.reader,
        apply: (operation) => memory.apply(operation),
      },
      memory: {
        search: (query) => memory.search({ ...query, asker }),
        read: async () => null,
        write: (entry) => this.#keep(entry, { at, tainted, text: "", words }),
      },
      frame: (text, part) => wrapExternal(text, part.toString(16).padStart(16, "0")),
      // Nobody is there to answer.
      forgetting: { question: async () => null, confirm: async () => "" },
      intents: memory.intents,
      session: { describe: async () => "", list: async () => [], history: async () => null },
      sendMessage: async () => refused,
    };
  }

  /** As core/turn/turn-memory.ts: the class by the turn, an owner's wish in their own words beside it. */
  async #keep(entry: MemoryEntry, call: Kept): Promise<MemoryReceipt> {
    const { at, tainted, text, words } = call;
    const author = this.#author(at, tainted);
    const facts = { interactiveOwner: this.#isOwners, tainted };
    const allowed = mayChange("USER.md", "rewrite", facts);
    if (entry.target === "preference" && allowed.ok) return this.#direct(entry, at, author);
    const wish = asksToRemember(text) ? [{ text, origin: words }] : [];
    return this.#note(at, [{ text: entry.text, author, words: wish }]);
  }

  async #direct(entry: MemoryEntry, at: number, author: LineOrigin): Promise<MemoryReceipt> {
    const file = await this.#memory.files.reader.read("USER.md");
    const change = changeDirective(file?.text ?? "", entry, { at, timeZone });
    if (!change.ok) return { ok: false, reason: change.error };
    if (change.value === null) return { ok: true, description: "" };
    const result = await this.#memory.apply({
      operationId: this.#operation(),
      path: "USER.md",
      change: change.value,
      authority: { kind: "turn", interactiveOwner: true, tainted: false },
      author,
    });
    return result.ok ? { ok: true, description: "" } : result;
  }

  /** As core/session/capture-new.ts. */
  async #capture(text: string, origin: LineOrigin): Promise<void> {
    const entries = captures(text).map((found): NoteEntry => ({
      text: `${found.category}:`,
      author: origin,
      words: [{ text: found.text, origin }],
    }));
    if (entries.length > 0) await this.#note(origin.at, entries);
  }

  async #note(at: number, entries: readonly NoteEntry[]): Promise<MemoryReceipt> {
    const operationId = this.#operation();
    const receipt = await this.#memory.files.notes.note({ operationId, at, entries });
    return receipt.ok ? { ok: true, description: receipt.path } : receipt;
  }

  #author(at: number, tainted: boolean): LineOrigin {
    return { trust: tainted ? "untrusted" : "agent", session: this.#session, at };
  }

  #entry(at: number) {
    this.#seq += 1;
    return { session: this.#session, message: `s1:${this.#seq}`, at };
  }

  #operation(): string {
    this.#calls += 1;
    return `${this.#session}/${this.#calls}`;
  }

  async #ingest(role: "user" | "assistant", text: string, origin: LineOrigin): Promise<void> {
    if (text.trim() === "") return;
    const id = origin.message ?? "";
    const line = { id, role, text, origin };
    const { transcripts } = this.#memory.files;
    await transcripts.ingest({ sessionKey: this.#session, identity, lines: [line] });
  }
}

interface Kept {
  readonly at: number;
  readonly tainted: boolean;
  /** What the owner wrote. */
  readonly text: string;
  readonly words: LineOrigin;
}
