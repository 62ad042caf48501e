/** A platform gave a conversation another id. */
export interface Move {
  readonly channel: string;
  readonly from: string;
  readonly to: string;
}

/** Which conversations have moved. The first that is recorded of a new id stands. */
export interface MoveLog {
  record(move: Move): Promise<void>;
  /** The id it had before; null = it has not moved. */
  formerId(channel: string, conversation: string): Promise<string | null>;
}
