import type { SessionEntry } from "#contract/agent-port.ts";
import type { HistoryPage, HistoryRequest } from "#contract/session-rpc.ts";
import type { OutboundMessage } from "#contract/message.ts";
import type {
  MemoryEntry,
  MemoryReceipt,
  MessageReceipt,
  MessageTarget,
  Tool,
  ToolContext,
  TurnForgetting,
} from "#contract/tool.ts";
import { createLedger } from "#core/workspace/ledger.ts";
import { createPathLock } from "#core/workspace/path-lock.ts";
import { createReader } from "#core/workspace/reader.ts";
import { createWriter } from "#core/workspace/writer.ts";
import { wrapExternal } from "#kit/external-content.ts";
import { MemoryLedgerStore } from "./ledger-store.ts";
import { MemoryDouble } from "./memory.ts";
import { memoryIntents } from "./intents.ts";
import { MemoryOperationLog, MemoryWorkspaceStore } from "./workspace-store.ts";

const asker = { sessionKey: "agent:main:telegram:direct:1", identity: "owner", counts: true };

/**
 * What a tool gets to see, over a real reader and writer on storage in memory. Facts of the turn can
 * be changed between calls; each call is one of its own, as in a journal.
 */
export class ToolRig {
  time = 1_900_000_000_000;
  readonly store = new MemoryWorkspaceStore(() => this.time);
  readonly ledgerStore = new MemoryLedgerStore();
  readonly log = new MemoryOperationLog(() => this.time);
  readonly intents = memoryIntents(() => this.time);
  readonly sent: { message: OutboundMessage; target: MessageTarget; operationId: string }[] = [];
  receipt: MessageReceipt = { ok: true, description: "Queued." };
  readonly memory = new MemoryDouble();
  readonly kept: MemoryEntry[] = [];
  keeps: MemoryReceipt = { ok: true, description: "Noted." };
  /** What would be forgotten, and what was. */
  question: string | null = null;
  confirmed = 0;
  readonly forgetting: TurnForgetting = {
    question: async () => this.question,
    confirm: async () => {
      this.confirmed += 1;
      return "Forgotten.";
    },
  };
  sessions: SessionEntry[] = [];
  histories: (key: string, request: HistoryRequest) => HistoryPage | null = () => null;
  facts: Partial<ToolContext> = {};

  context(operationId: string = crypto.randomUUID()): ToolContext {
    const ledger = createLedger(this.ledgerStore, { info() {}, warn() {}, error() {} });
    const writer = createWriter({
      store: this.store,
      log: this.log,
      ledger,
      lock: createPathLock(),
      report: { info() {}, warn() {}, error() {} },
      now: () => this.time,
      sleep: async (ms) => void (this.time += Math.max(0, ms)),
      onStored: () => {},
      onArrived: () => {},
    });
    const clock = { now: () => this.time, pause: async () => {} };
    const reader = createReader({ store: this.store, log: this.log, ledger, clock });
    return {
      operationId,
      sessionKey: "agent:main:telegram:direct:1",
      sender: { id: "1", name: "Ada", isOwner: true },
      interactiveOwner: true,
      tainted: false,
      now: this.time,
      signal: new AbortController().signal,
      workspace: { ...reader, apply: (operation) => writer.apply(operation) },
      memory: {
        search: (query) => this.memory.search({ ...query, asker }),
        read: (place) => this.memory.read({ ...place, asker }),
        write: async (entry) => {
          this.kept.push(entry);
          return this.keeps;
        },
      },
      frame: (text, part) => wrapExternal(text, part.toString(16).padStart(16, "0")),
      forgetting: this.forgetting,
      intents: this.intents,
      session: {
        describe: async () => "model demo/demo",
        list: async (limit) => this.sessions.slice(0, limit),
        history: async (key, request) => this.histories(key, request),
      },
      sendMessage: async (message, target) => {
        this.sent.push({ message, target, operationId });
        return this.receipt;
      },
      ...this.facts,
    };
  }

  /** Runs a call as the turn does: arguments pass the tool's schema first. */
  call(tool: Tool | undefined, input: object, operationId?: string) {
    if (!tool) throw new Error("no such tool");
    return tool.execute(tool.parameters.parse(input), this.context(operationId));
  }
}
