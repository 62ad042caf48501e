/** A conversation, by the id its platform uses now. */
export interface Place {
  readonly channel: string;
  readonly conversation: string;
}

/**
 * Under which id each group began: its own, or the one it had before its platform gave it another. It is
 * decided once, by whatever comes first, a message under the new id or the news of the move, and never
 * changes: so a message that is delivered again goes where it went before.
 */
export interface Origins {
  /** Null: not decided yet. */
  find(place: Place): Promise<string | null>;
  /** Decides that it began under `origin`, unless that is decided. Returns what stands. */
  decide(place: Place, origin: string): Promise<string>;
}
