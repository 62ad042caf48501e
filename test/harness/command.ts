import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { eventually } from "./wait.ts";

/**
 * A command of this project as a process of its own, without a terminal: what goes in, what comes
 * out, how it ends. It gets no environment but PATH, HOME and what is given.
 */
export interface CommandOptions {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** All of standard input; none if absent. */
  readonly input?: string;
  readonly directory?: string;
}

export class Command {
  stdout = "";
  stderr = "";
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly #child: ChildProcess;

  constructor(script: string, options: CommandOptions = {}) {
    const { PATH = "", HOME = "" } = process.env;
    this.#child = spawn(process.execPath, [script, ...(options.arguments ?? [])], {
      env: { PATH, HOME, ...options.environment },
      ...(options.directory === undefined ? {} : { cwd: options.directory }),
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.#child.stdin?.end(options.input ?? "");
    this.ended = once(this.#child, "close").then(([code, signal]) => (code ?? signal) as number);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until standard output holds the text; rejects if it ends before. */
  async says(text: string, timeoutMs = 60_000): Promise<void> {
    const what = `"${text}" in the output`;
    const said = eventually(() => this.stdout.includes(text), { timeoutMs, what });
    const end = this.ended.then((how) => {
      if (!this.stdout.includes(text)) throw new Error(`it ended with ${how}: ${this.stderr}`);
    });
    await Promise.race([said, end]);
  }
}
