import type { ReplyRoute, Sender } from "#contract/message.ts";

/**
 * Is everybody who reads along an owner? Only there the assistant has its owner's memory: the files
 * about them in the prompt, and the tools that read and write files. A group may hold anybody.
 */
export function onlyOwnersRead(place: {
  readonly sender: Pick<Sender, "isOwner">;
  readonly route: Pick<ReplyRoute, "kind">;
}): boolean {
  return place.sender.isOwner && place.route.kind === "direct";
}
