import { DurableObject } from "cloudflare:workers";
import type { WakeReason } from "#contract/agent-rpc.ts";
import type { AcceptEnvelope, AcceptResult } from "#contract/inbox.ts";
import type { ReplyRoute } from "#contract/message.ts";
import type { Result } from "#contract/result.ts";
import { accept } from "#core/session/accept.ts";
import { exportLines } from "#core/session/archive.ts";
import { deliver, deliverNotice } from "#core/session/deliver.ts";
import type { Delivery, SessionPorts } from "#core/session/ports.ts";
import { wake, type WakeAnswer } from "#core/session/wake.ts";
import { watchMessage } from "#core/session/watch.ts";
import { work } from "#core/session/work.ts";
import { createSessionPorts } from "#wiring/session-object.ts";
import { lineStream, textStream } from "#wiring/streams.ts";

/**
 * One conversation: its inbox, transcript, turns and outbox. Only a door: each method hands over to
 * the core. What is public here can be called over RPC; everything else is a # field.
 */
export class SessionDO extends DurableObject<Env> {
  #ports: SessionPorts | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#open();
  }

  /** The parts, made anew if everything was deleted since the last call. */
  #open(): SessionPorts {
    this.#ports ??= createSessionPorts(this.ctx, this.env, () => {
      this.#ports = null;
    });
    return this.#ports;
  }

  /** Stores a message. Once this resolves, it is safe to tell the platform so. */
  accept(envelope: AcceptEnvelope): Promise<AcceptResult> {
    return accept(this.#open(), envelope);
  }

  /** Says something here on behalf of another session, once per key. */
  deliver(item: Delivery, key: string): Promise<Result<string, string>> {
    return deliver(this.#open(), item, key);
  }

  /** Sends a word to somebody who has no conversation yet, once per key. */
  deliverNotice(notice: { text: string; route: ReplyRoute }, key: string): Promise<void> {
    return deliverNotice(this.#open(), notice, key);
  }

  /** Re-arms the alarm if anything is open. */
  wake(reason: WakeReason): WakeAnswer {
    return wake(this.#open(), reason);
  }

  /** What becomes of a message: lines of JSON (TurnEvent) until its turn has ended. */
  watch(seq: number): ReadableStream<Uint8Array> {
    return lineStream((listener) => watchMessage(this.#open(), seq, listener));
  }

  /** The whole conversation as JSONL. */
  exportTranscript(): ReadableStream<Uint8Array> {
    return textStream(exportLines(this.#open()));
  }

  override async alarm(): Promise<void> {
    await work(this.#open());
  }
}
