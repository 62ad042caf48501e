/**
 * What a command that takes a while is doing: at a terminal one line that is rewritten and counts the
 * seconds, elsewhere a line for each step. Anything else that is written meanwhile goes through
 * `interject`, so that the two do not mix. Runs no timer; `tick` is the caller's.
 */
export interface ProgressScreen {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface ProgressOptions {
  readonly screen: ProgressScreen;
  /** Milliseconds, from any start. */
  readonly now: () => number;
  readonly style: (text: string) => string;
}

const CLEAR_LINE = "\r\u001b[K";

export class Progress {
  readonly #options: ProgressOptions;
  readonly #startedAt: number;
  #step: string | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  /** Whole seconds since the beginning. */
  get seconds(): number {
    return Math.round((this.#options.now() - this.#startedAt) / 1000);
  }

  step(text: string): void {
    this.#step = text;
    if (this.#options.screen.isTTY) this.tick();
    else this.#options.screen.write(`${text} …\n`);
  }

  tick(): void {
    const { screen, style } = this.#options;
    if (this.#step === undefined || !screen.isTTY) return;
    const line = `${this.#step} … ${this.seconds} s`;
    screen.write(CLEAR_LINE + style(line.slice(0, (screen.columns ?? 80) - 1)));
  }

  interject(write: () => void): void {
    this.#clear();
    write();
    this.tick();
  }

  /** The line goes; nothing is written any more. */
  end(): void {
    this.#clear();
    this.#step = undefined;
  }

  #clear(): void {
    const { screen } = this.#options;
    if (this.#step !== undefined && screen.isTTY) screen.write(CLEAR_LINE);
  }
}
