import type { WakeAnswer, WakeReason } from "./agent-rpc.ts";
import type { AcceptEnvelope, AcceptResult } from "./inbox.ts";
import type { OutboundMessage, ReplyRoute } from "./message.ts";
import type { Trust } from "./transcript.ts";
import type { Result } from "./result.ts";
import type { ForgetSaid, ForgottenSaid } from "./upkeep.ts";

/** What SessionDO answers over RPC: plain data in, plain data or a stream of bytes out. */
export interface SessionRpc {
  /** Stores a message. Once this resolves, it is safe to tell the platform so. */
  accept(envelope: AcceptEnvelope): Promise<AcceptResult>;
  /** Says something here on behalf of another session, once per key, and remembers it. */
  deliver(message: OutboundMessage, key: string): Promise<Result<string, string>>;
  /** Sends a word to somebody who has no conversation yet, once per key. */
  deliverNotice(notice: Notice, key: string): Promise<void>;
  /** Re-arms the alarm if anything is open. */
  wake(reason: WakeReason): Promise<WakeAnswer>;
  /** What becomes of a message: lines of JSON (TurnEvent) until its turn has ended. */
  watch(seq: number): Promise<ReadableStream<Uint8Array>>;
  /** The model that would answer here now, or why there is none. */
  modelInUse(): Promise<Result<string, string>>;
  /** What was said here, for another conversation of the same owner's; null = nothing may be told. */
  historyPage(request: HistoryRequest): Promise<HistoryPage | null>;
  /** Gives the agent's memory what it does not have yet of this conversation. Never rejects. */
  handOver(): Promise<void>;
  /** Takes facts out of what is stored here, a bounded part at a time. Safe to repeat. */
  forgetSaid(request: ForgetSaid): Promise<ForgottenSaid>;
  /**
   * Puts the whole conversation away, since it is one too many and long unused. Only its settings stay, so
   * that it goes on where somebody writes in it again. A bounded part at a time; safe to repeat.
   */
  putAway(): Promise<PutAwayAnswer>;
  /** The whole conversation as JSONL. */
  exportTranscript(): Promise<ReadableStream<Uint8Array>>;
}

export interface HistoryRequest {
  /** Only what came before this entry; absent = the newest. */
  readonly before?: number;
  /** At most 50. */
  readonly limit: number;
}

/** Words of people and of the assistant, redacted, oldest first. */
export interface HistoryPage {
  readonly lines: readonly HistoryLine[];
  /** `before` of the page that comes before this one; null = there is none. */
  readonly earlier: number | null;
  /** What comes before is archived; it is read in the same way. */
  readonly archived?: boolean;
}

export interface HistoryLine {
  readonly seq: number;
  readonly at: number;
  readonly speaker: string;
  readonly text: string;
  readonly trust: Trust;
}

/** `kept`: it is in use. `more`: ask again. `away`: nothing is left here. */
export type PutAwayAnswer = "kept" | "more" | "away";

export interface Notice {
  readonly text: string;
  readonly route: ReplyRoute;
}
