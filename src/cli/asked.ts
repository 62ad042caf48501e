import type { Conversation, Outcome } from "./conversation.ts";

/**
 * A message that was sent, and what has come back so far: it may be shown at once, or later when the
 * answer before it is done. Nothing is shown from here.
 */
export interface AskedListener {
  readonly text: (more: string) => void;
  readonly lost: () => void;
}

export class Asked {
  readonly text: string;
  readonly outcome: Promise<Outcome>;
  #said = "";
  #listener: AskedListener | undefined;

  constructor(conversation: Conversation, text: string, signal: AbortSignal) {
    this.text = text;
    const listener = {
      text: (more: string) => {
        this.#said += more;
        this.#listener?.text(more);
      },
      lost: () => this.#listener?.lost(),
    };
    this.outcome = conversation.ask(text, listener, signal);
  }

  get said(): string {
    return this.#said;
  }

  /** What has come is handed over first. */
  listen(listener: AskedListener): void {
    this.#listener = listener;
    if (this.#said !== "") listener.text(this.#said);
  }
}

/**
 * A message that joined the running turn is answered by that turn, and its own stream says again what
 * is on the screen. Holds text back for as long as it only repeats what was said before.
 */
export class Unrepeated {
  readonly #before: string;
  #held = "";
  #fresh: boolean;

  constructor(before: string) {
    this.#before = before;
    this.#fresh = before === "";
  }

  /** What may be shown now. */
  push(more: string): string {
    if (this.#fresh) return more;
    this.#held += more;
    return this.#before.includes(this.#held) ? "" : this.#release();
  }

  /** The rest: an answer that only begins like the other one is one of its own. */
  end(): string {
    return this.#fresh || this.#before.endsWith(this.#held) ? "" : this.#release();
  }

  /** Nothing new was said. */
  get silent(): boolean {
    return !this.#fresh;
  }

  #release(): string {
    this.#fresh = true;
    return this.#held;
  }
}
