import type { CuratedFile } from "#contract/dreaming.ts";
import type { UndoReport } from "#contract/dream-run.ts";
import { sha256Hex } from "#kit/sha256.ts";
import type { DreamStore } from "./dream-store.ts";
import { textOf } from "./memory-file.ts";
import { undoTarget } from "./undo.ts";

/** Puts MEMORY.md back to what it was before a night, and says so to the person who asked. */
export interface UndoPorts {
  readonly store: Pick<DreamStore, "images" | "outcomes" | "keepOutcomes" | "transaction">;
  file(): Promise<CuratedFile>;
  /** Null: it is written. Else why it is not. */
  write(text: string, ifEtag: string | null): Promise<string | null>;
}

export async function undoNight(
  ports: UndoPorts,
  runId: string | null,
  force: boolean,
): Promise<UndoReport> {
  const present = await ports.file();
  const hash = present.etag === null ? null : sha256Hex(textOf(present.lines));
  const target = undoTarget(ports.store.images(), hash, runId ?? undefined);
  if (target.type === "nothing-kept") {
    const reason =
      runId === null ? "No night has changed MEMORY.md." : `Nothing is kept of "${runId}".`;
    return { ok: false, reason };
  }
  if (target.type === "changed-since" && !force) return { ok: false, reason: CHANGED_SINCE };
  const refused = await ports.write(target.image.before ?? "", present.etag);
  if (refused !== null) return { ok: false, reason: refused };
  markUndone(ports.store, target.image.runId);
  const day = new Date(target.image.at).toISOString().slice(0, 16).replace("T", " ");
  return {
    ok: true,
    text: `MEMORY.md is again what it was before the night of ${day} (UTC). What stood there is kept as a version; what was taken back does not come up again by itself.`,
  };
}

/** Whoever asks what the nights did is told. */
function markUndone(store: UndoPorts["store"], undone: string): void {
  const marked = store
    .outcomes()
    .map((outcome) => (outcome.runId === undone ? { ...outcome, undone: true } : outcome));
  store.transaction(() => store.keepOutcomes(marked));
}

const CHANGED_SINCE =
  "MEMORY.md has been edited since that night, and the edit would be lost with it. /dreaming undo force does it all the same; the present text is kept as a version.";
