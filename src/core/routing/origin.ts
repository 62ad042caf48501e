import type { Origins, Place } from "#contract/origins.ts";

/** A platform gave a conversation another id. */
export interface Move {
  readonly channel: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The news of a move: the new id stands for the same conversation, unless one has begun under it already.
 * Safe to repeat. True: it does.
 */
export async function followMove(origins: Origins, { channel, from, to }: Move): Promise<boolean> {
  const origin = await originOf(origins, { channel, conversation: from });
  return (await origins.decide({ channel, conversation: to }, origin)) === origin;
}

async function originOf(origins: Origins, place: Place): Promise<string> {
  return (await origins.find(place)) ?? place.conversation;
}
