import { z } from "zod";
import type { InboundMessage } from "./message.ts";
import type { ModelMessage } from "./model.ts";

/**
 * A message as it was accepted. `waiting` → `taken` (a turn is fetching its attachments) → `done`;
 * `buffered` is what was overheard in a group and becomes context of the next turn.
 */
export type InboxStatus = "waiting" | "taken" | "done" | "buffered";
export type InboxKind = "message" | "command";

/** Where a message stands, without the message. */
export interface InboxPlace {
  readonly seq: number;
  readonly kind: InboxKind;
  readonly status: InboxStatus;
  readonly turnId: string | null;
  readonly receivedAt: number;
}

export interface InboxItem extends InboxPlace {
  readonly message: InboundMessage;
  readonly extra: AcceptExtra;
  /** Held back until then: an album being gathered, a burst being debounced. */
  readonly notBefore: number;
}

/** What only API callers send along. */
export interface AcceptExtra {
  /** A one-off conversation: its turn starts a fresh session that begins with this history. */
  readonly history?: readonly ModelMessage[];
  /** System text for this turn only. */
  readonly instructions?: string;
  /** `/steer`: joins the running turn whatever the queue mode. */
  readonly steer?: true;
  /** `provider/model` for this turn only. */
  readonly model?: string;
}

/** As it is stored. Loose about the history, which may be long: each of its messages is kept as it is. */
export const acceptExtraSchema = z.looseObject({
  history: z.array(z.looseObject({ role: z.string() })).optional(),
  instructions: z.string().optional(),
  steer: z.literal(true).optional(),
  model: z.string().optional(),
});

export interface AcceptEnvelope {
  readonly message: InboundMessage;
  /** Overheard in a group: kept as context, starts nothing. */
  readonly buffer?: boolean;
  /** The id the conversation had before the platform gave it the one in the route. */
  readonly formerly?: string;
  readonly extra?: AcceptExtra;
  /**
   * Set by callers who wait for the answer, and may ask for it again. With `isRetry`: this is another
   * try of a request with the same content, which may or may not have arrived (session/repeat.ts).
   */
  readonly contentHash?: string;
  readonly isRetry?: boolean;
}

export type AcceptResult =
  | { readonly status: "accepted"; readonly seq: number }
  | { readonly status: "duplicate"; readonly seq: number };
