import { withoutForgotten } from "#core/memory/forgotten.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import type { ForgetLines, ForgottenLines } from "#contract/agent-rpc.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { createForgetter } from "#kit/text/forget-text.ts";
import { goneFrom, type ForgetPart, type ForgetPorts } from "./forget-part.ts";
import { readState, reportOf, type ForgetState } from "./forget-state.ts";
import { forgetInVersions } from "./forget-versions.ts";

/** Of the 10,000 that Cloudflare allows an invocation: others have work in it, too, and it takes time. */
const CALLS = 500;

/**
 * Takes facts out of everything that is kept of them: memory files, dream reports, transcripts, the
 * versions kept of files, and the ledger. A bounded part at a time, since an invocation may make only so many
 * calls: a call that says there is more, rejects, is cut off or was refused a file is made again with the same
 * id and goes on; one that is finished says what it said. What is known of the lines meanwhile are hashes, and
 * in the end not even those.
 */
export async function forgetLines(
  ports: ForgetPorts,
  request: ForgetLines,
): Promise<ForgottenLines> {
  const part = beginPart(ports, request);
  const { state } = part;
  if (state.done) return reportOf(state);
  while (state.phase !== "end" && part.calls > 0) await advance(ports, part);
  part.save();
  if (state.phase !== "end") return { ...reportOf(state), refused: [], more: true };
  await ports.onForgotten?.(state.hashes);
  for (const path of state.refused) delete state.removed[path];
  const report = reportOf(state);
  if (state.refused.length === 0) Object.assign(state, { done: true, hashes: [] });
  // Made again it tries these files once more, and what they kept meanwhile.
  else Object.assign(state, { phase: "files", after: null, refused: [] });
  part.save();
  return report;
}

function beginPart(ports: ForgetPorts, request: ForgetLines): ForgetPart {
  const state = readState(ports.state.get(request.operationId));
  const save = () => ports.state.set(request.operationId, JSON.stringify(state));
  return {
    request,
    state,
    sentences: createForgetter(request.texts ?? []),
    calls: CALLS,
    save,
    note(path, removed) {
      state.removed[path] = Math.max(state.removed[path] ?? 0, removed.length);
      state.hashes = [...new Set([...state.hashes, ...removed])];
      save();
    },
  };
}

/** Each phase in as many parts as it needs; one that is over goes on to the next. */
async function advance(ports: ForgetPorts, part: ForgetPart): Promise<void> {
  const { state } = part;
  switch (state.phase) {
    case "files":
      if (await forgetInFiles(ports, part)) enter(part, "said");
      return;
    case "said":
      if (await forgetInTranscripts(ports, part)) enter(part, "waiting");
      return;
    case "waiting":
      // A change that a crash left in the log is shown as made, and keeps what it overwrites only when it is.
      if (!(await ports.writer.finishAll())) throw new Error("changes of files are still waiting");
      enter(part, "versions");
      return;
    case "versions":
      if (await forgetInVersions(ports, part)) enter(part, "end");
      return;
    case "end":
  }
}

function enter(part: ForgetPart, phase: ForgetState["phase"]): void {
  Object.assign(part.state, { phase, after: null });
  part.save();
}

const curated = ["DREAMS.md", "MEMORY.md", "USER.md"];
const READ_CALLS = 3;
const CHANGE_CALLS = 20;

/** True: these were all. */
async function forgetInFiles(ports: ForgetPorts, part: ForgetPart): Promise<boolean> {
  const { state } = part;
  const after = state.after ?? "";
  if (after < NOTES) {
    const rest = curated.filter((path) => path > after);
    if (!(await forgetInEach(ports, part, rest))) return false;
  }
  for (;;) {
    const behind = state.after?.startsWith(NOTES) ? state.after : null;
    const { files, more } = await ports.store.page("memory", behind);
    part.calls -= 1;
    const notes = files.map(({ path }) => path);
    if (!(await forgetInEach(ports, part, notes))) return false;
    if (!more) return true;
  }
}

const NOTES = "memory/";

/** False: the part is over, and `state.after` says where the next one goes on. */
async function forgetInEach(
  ports: ForgetPorts,
  part: ForgetPart,
  paths: readonly string[],
): Promise<boolean> {
  for (const path of paths) {
    if (part.calls <= 0) return false;
    if (path.endsWith(".md")) await forgetInFile(ports, part, path);
    part.state.after = path;
  }
  return true;
}

async function forgetInFile(
  { reader, writer }: ForgetPorts,
  part: ForgetPart,
  path: string,
): Promise<void> {
  const { request, state } = part;
  part.calls -= READ_CALLS;
  const text = (await reader.read(path))?.text ?? "";
  const removed = withoutForgotten(text, goneFrom(path, part)).removed.map(lineHash);
  if (removed.length === 0) return;
  part.note(path, removed);
  part.calls -= CHANGE_CALLS;
  const result = await writer.apply({
    // Of its own for each text: a line that came back in the meantime goes again.
    operationId: `${sha256Hex(request.operationId).slice(0, 32)}:${sha256Hex(path + text).slice(0, 32)}`,
    path,
    change: { type: "forget", hashes: [...new Set([...request.hashes, ...removed])] },
    authority: { kind: "owner" },
  });
  // One file that storage or its name keeps from changing does not keep the others.
  if (!result.ok) state.refused = [...new Set([...state.refused, path])];
}

async function forgetInTranscripts(
  { transcripts }: ForgetPorts,
  part: ForgetPart,
): Promise<boolean> {
  const { request, state, sentences } = part;
  const hashes = new Set([...request.hashes, ...state.hashes]);
  const note = (path: string, removed: readonly string[]) => part.note(path, removed);
  const next = await transcripts.removeLines({ hashes, sentences }, note, state.after);
  part.calls -= CALLS / 2;
  state.after = next;
  return next === null;
}
