import type { CallDraft } from "#kit/model/chat-draft.ts";
import type { CallDelta } from "./chunk.ts";

/**
 * Puts tool calls together from what Workers AI streams: pieces under an index, whole calls without one
 * (its own shape), and empty pieces that only say that a call is over.
 */
export function addCall(drafts: CallDraft[], delta: CallDelta): void {
  if (delta.id === "" && delta.name === "" && delta.arguments === "") return;
  const draft = belongsTo(drafts, delta) ?? begin(drafts, delta);
  draft.id ||= delta.id;
  draft.name ||= delta.name;
  draft.arguments += delta.arguments;
}

function begin(drafts: CallDraft[], delta: CallDelta): CallDraft {
  const draft: CallDraft = { index: delta.index, id: "", name: "", arguments: "" };
  drafts.push(draft);
  return draft;
}

function belongsTo(drafts: readonly CallDraft[], delta: CallDelta): CallDraft | undefined {
  if (delta.index === null) return delta.name === "" ? drafts.at(-1) : undefined;
  const same = drafts.findLast((draft) => draft.index === delta.index);
  // Every call under index 0: a second id with a name is a second call.
  const isOther = delta.name !== "" && delta.id !== "" && same?.id !== "" && same?.id !== delta.id;
  return isOther ? undefined : same;
}
