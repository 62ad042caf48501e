import type { WorkspaceChange, WorkspaceOperation } from "#contract/workspace.ts";
import { createReader, type WorkspaceReader } from "#core/workspace/reader.ts";
import { createWriter, type WorkspaceWriter } from "#core/workspace/writer.ts";
import { MemoryOperationLog, MemoryWorkspaceStore, type StorePhase } from "./workspace-store.ts";

const silent = { info() {}, warn() {}, error() {} };

/** One workspace on storage in memory whose writers may die; the clock moves only when a writer waits. */
export class WorkspaceWorld {
  time = 1_900_000_000_000;
  store = new MemoryWorkspaceStore(() => this.time);
  log = new MemoryOperationLog(() => this.time);
  stored: string[] = [];
  #ids = 0;

  writer(): WorkspaceWriter {
    return createWriter({
      store: this.store,
      log: this.log,
      report: silent,
      now: () => this.time,
      sleep: async (ms) => {
        this.time += Math.max(0, ms);
      },
      onStored: (file) => this.stored.push(file.path),
    });
  }

  reader(): WorkspaceReader {
    return createReader(this.store, this.log, { now: () => this.time, pause: async () => {} });
  }

  operation(change: WorkspaceChange, path = "notes/day.md"): WorkspaceOperation {
    this.#ids += 1;
    return { operationId: `turn-${crypto.randomUUID()}:call ${this.#ids}`, path, change };
  }

  append(text: string, path?: string): WorkspaceOperation {
    return this.operation({ type: "append", text }, path);
  }

  /** The writer stops for ever the next time it comes to this place. */
  crashAt(phase: StorePhase): Promise<void> {
    return new Promise((crashed) => {
      this.store.gate = (now) => {
        if (now !== phase) return;
        this.store.gate = () => {};
        crashed();
        return new Promise(() => {});
      };
    });
  }
}
