import type { WorkspaceChange, WorkspaceOperation } from "#contract/workspace.ts";
import { createClassifier, type Classifier } from "#core/workspace/classifier.ts";
import { createLedger, type Ledger } from "#core/workspace/ledger.ts";
import { createPathLock } from "#core/workspace/path-lock.ts";
import { createReader, type WorkspaceReader } from "#core/workspace/reader.ts";
import { createWriter, type WorkspaceWriter } from "#core/workspace/writer.ts";
import { MemoryLedgerStore, type LedgerPhase } from "./ledger-store.ts";
import { MemoryOperationLog, MemoryWorkspaceStore, type StorePhase } from "./workspace-store.ts";

const silent = { info() {}, warn() {}, error() {} };

/** One workspace on storage in memory whose writers may die; the clock moves only when a writer waits. */
export class WorkspaceWorld {
  time = 1_900_000_000_000;
  store = new MemoryWorkspaceStore(() => this.time);
  ledgerStore = new MemoryLedgerStore();
  log = new MemoryOperationLog(() => this.time);
  stored: string[] = [];
  arrived: string[] = [];
  #ids = 0;

  /** Those of one object share a lock; one that died keeps its own for ever. */
  writer(lock = createPathLock()): WorkspaceWriter {
    return createWriter({
      lock,
      store: this.store,
      log: this.log,
      ledger: this.ledger(),
      report: silent,
      now: () => this.time,
      sleep: async (ms) => {
        this.time += Math.max(0, ms);
      },
      onStored: (file) => this.stored.push(file.path),
      onArrived: (path) => this.arrived.push(path),
    });
  }

  /** A new one remembers nothing, like an object that was loaded anew. */
  ledger(): Ledger {
    return createLedger(this.ledgerStore, silent);
  }

  classifier(lock = createPathLock()): Classifier {
    const { store } = this;
    return createClassifier({ store, lock, ledger: this.ledger(), now: () => this.time });
  }

  reader(): WorkspaceReader {
    const clock = { now: () => this.time, pause: async () => {} };
    return createReader({ store: this.store, log: this.log, ledger: this.ledger(), clock });
  }

  /** As a tool makes it in an owner's own conversation, with nothing from outside in the window. */
  operation(change: WorkspaceChange, path = "notes/day.md"): WorkspaceOperation {
    this.#ids += 1;
    const operationId = `turn-${crypto.randomUUID()}:call ${this.#ids}`;
    const authority = { kind: "turn", interactiveOwner: true, tainted: false } as const;
    const author = { trust: "agent", session: "agent:main:main", at: this.time } as const;
    return { operationId, path, change, authority, author };
  }

  /** The same with outside content in the window. */
  tainted(change: WorkspaceChange, path?: string): WorkspaceOperation {
    return {
      ...this.operation(change, path),
      authority: { kind: "turn", interactiveOwner: true, tainted: true },
      author: { trust: "untrusted", session: "agent:main:main", at: this.time },
      untrusted: true,
    };
  }

  /** One after the other, each by a writer that has just been loaded. */
  async apply(...operations: WorkspaceOperation[]): Promise<void> {
    for (const operation of operations) {
      const applied = await this.writer().apply(operation);
      if (!applied.ok) throw new Error(`not applied: ${JSON.stringify(applied)}`);
    }
  }

  /** The class of each line, as somebody sees it who has just been loaded. */
  async classes(path: string): Promise<string[] | undefined> {
    const file = await this.classifier().readClassified(path);
    return file?.lines
      .filter(({ text }) => text.trim() !== "")
      .map(({ text, origin, waiting }) => `${waiting ? "waiting" : origin.trust}: ${text}`);
  }

  append(text: string, path?: string): WorkspaceOperation {
    return this.operation({ type: "append", text }, path);
  }

  /** The writer stops for ever the next time it comes to this place. */
  crashAt(phase: StorePhase | LedgerPhase): Promise<void> {
    return new Promise((crashed) => {
      const gate = (now: StorePhase | LedgerPhase) => {
        if (now !== phase) return;
        this.store.gate = () => {};
        this.ledgerStore.gate = () => {};
        crashed();
        return new Promise<never>(() => {});
      };
      this.store.gate = gate;
      this.ledgerStore.gate = gate;
    });
  }
}
