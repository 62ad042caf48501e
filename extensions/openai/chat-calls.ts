import type { CallDraft } from "#kit/model/chat-draft.ts";
import type { CallDelta } from "./chat-events.ts";

/**
 * Puts tool calls together from the pieces servers stream: with an index, with an id only, with neither,
 * or two calls under one index. Pieces of one call are never mixed into another.
 */
export function addCallDelta(drafts: CallDraft[], delta: CallDelta): void {
  const draft = belongsTo(drafts, delta) ?? begin(drafts, delta);
  draft.id ||= delta.id ?? "";
  draft.name ||= delta.function?.name ?? "";
  const piece = delta.function?.arguments ?? "";
  draft.arguments += typeof piece === "string" ? piece : JSON.stringify(piece);
}

function begin(drafts: CallDraft[], delta: CallDelta): CallDraft {
  const draft = { index: delta.index ?? null, id: "", name: "", arguments: "" };
  drafts.push(draft);
  return draft;
}

function belongsTo(drafts: readonly CallDraft[], delta: CallDelta): CallDraft | undefined {
  const sameIndex = drafts.findLast((draft) => draft.index === delta.index);
  if (typeof delta.index === "number") {
    return sameIndex !== undefined && isOther(sameIndex, delta) ? undefined : sameIndex;
  }
  if (delta.id) return drafts.find((draft) => draft.id === delta.id);
  const last = drafts.at(-1);
  const startsAnew = last !== undefined && last.name !== "" && Boolean(delta.function?.name);
  return startsAnew ? undefined : last;
}

/** Some servers number every call 0; a second id with a name is a second call. */
function isOther(draft: CallDraft, delta: CallDelta): boolean {
  const hasNewId = Boolean(delta.id) && draft.id !== "" && draft.id !== delta.id;
  return hasNewId && Boolean(delta.function?.name);
}
