import { DurableObject } from "cloudflare:workers";
import type { WakeAnswer, WakeReason } from "#contract/agent-rpc.ts";
import type { AcceptEnvelope, AcceptResult } from "#contract/inbox.ts";
import type { OutboundMessage } from "#contract/message.ts";
import type { Result } from "#contract/result.ts";
import type {
  HistoryPage,
  HistoryRequest,
  Notice,
  PutAwayAnswer,
  SessionRpc,
} from "#contract/session-rpc.ts";
import type { ForgetSaid, ForgottenSaid } from "#contract/upkeep.ts";
import { accept } from "#core/session/accept.ts";
import { deliver, deliverNotice } from "#core/session/deliver.ts";
import { exportLines } from "#core/session/export-lines.ts";
import { forgetSaid } from "#core/session/forget-said.ts";
import { historyPage } from "#core/session/history-page.ts";
import { leave } from "#core/session/leave.ts";
import { handOverNow } from "#core/session/keep-memory.ts";
import { modelInUse } from "#core/state/model-setting.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { wake } from "#core/session/wake.ts";
import { watchMessage } from "#core/session/watch.ts";
import { work } from "#core/session/work.ts";
import { createSessionPorts } from "#wiring/session-object.ts";
import { lineStream, textStream } from "#wiring/streams.ts";

/**
 * One conversation: its inbox, transcript, turns and outbox. Only a door: each method hands over to
 * the core. What is public here can be called over RPC (the contract says what each does); everything
 * else is a # field.
 */
export class SessionDO extends DurableObject<Env> implements SessionRpc {
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

  accept(envelope: AcceptEnvelope): Promise<AcceptResult> {
    return accept(this.#open(), envelope);
  }

  deliver(message: OutboundMessage, key: string): Promise<Result<string, string>> {
    return deliver(this.#open(), message, key);
  }

  deliverNotice(notice: Notice, key: string): Promise<void> {
    return deliverNotice(this.#open(), notice, key);
  }

  async wake(reason: WakeReason): Promise<WakeAnswer> {
    return wake(this.#open(), reason);
  }

  async watch(seq: number): Promise<ReadableStream<Uint8Array>> {
    return lineStream((listener) => watchMessage(this.#open(), seq, listener));
  }

  async modelInUse(): Promise<Result<string, string>> {
    return modelInUse(this.#open());
  }

  historyPage(request: HistoryRequest): Promise<HistoryPage | null> {
    return historyPage(this.#open(), request);
  }

  handOver(): Promise<void> {
    return handOverNow(this.#open());
  }

  async forgetSaid(request: ForgetSaid): Promise<ForgottenSaid> {
    return forgetSaid(this.#open(), request);
  }

  putAway(): Promise<PutAwayAnswer> {
    return leave(this.#open());
  }

  async exportTranscript(): Promise<ReadableStream<Uint8Array>> {
    return textStream(exportLines(this.#open()));
  }

  override async alarm(): Promise<void> {
    await work(this.#open());
  }
}
