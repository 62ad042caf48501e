import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Result } from "#contract/result.ts";
import { Asked, Unrepeated } from "./asked.ts";
import type { Conversation, Outcome } from "./conversation.ts";
import { AnswerPage } from "./answer-page.ts";
import { isQuit, ownHelp } from "./own-commands.ts";
import { createPasteJoiner, type PasteJoiner } from "./paste-joiner.ts";
import { createWrap, wrapText } from "./wrap.ts";

/**
 * The chat at a terminal: a prompt with line editing and history, answers as they are written. While
 * an answer is written, what is typed stands on a row below it and goes on at the next prompt, so that the
 * two do not mix; a whole line is echoed and sent at once: a message joins what runs, a command is answered in
 * between. Ctrl-C stops the answer (the assistant is told), Ctrl-D and
 * /quit leave; an answer left behind is finished and kept.
 */
export interface TerminalOptions {
  readonly conversation: Conversation;
  readonly input: NodeJS.ReadableStream;
  readonly output: TerminalOutput;
  /** Said when nobody answers at the address. */
  readonly absentText: string;
  /** Saves the conversation; its path, or a sentence why not. */
  readonly exportFile: () => Promise<Result<string, string>>;
}

type TerminalOutput = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };

/** Resolves when the person leaves. */
export function runTerminal(options: TerminalOptions): Promise<void> {
  return new Terminal(options).run();
}

/** The answer that is being written. */
interface Answer {
  /** It has been told to stop. */
  stopping: boolean;
  /** Puts whole lines between what is there and what comes. */
  readonly interject: (text: string) => void;
  /** What stands in the editor has changed. */
  readonly typed: () => void;
}

/** What an answer came to: text, and why it failed. */
interface Told {
  readonly said: string;
  readonly failure: string;
}

class Terminal {
  readonly #options: TerminalOptions;
  readonly #editor: Interface;
  readonly #paste: PasteJoiner;
  readonly #left = new AbortController();
  readonly #waiting: Asked[] = [];
  #answer: Answer | undefined;
  #muted = false;
  #showingTyped = false;
  #leaveOnInterrupt = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#editor = createInterface({
      input: options.input,
      output: this.#mutable(options.output),
      terminal: true,
      historySize: 500,
      removeHistoryDuplicates: true,
      prompt: this.#style(["bold", "cyan"], "› "),
    });
    this.#paste = createPasteJoiner({
      rest: () => this.#editor.line,
      submit: (text) => this.#submit(text),
    });
  }

  run(): Promise<void> {
    const editor = this.#editor;
    editor.on("line", (line) => {
      this.#leaveOnInterrupt = false;
      this.#paste.push(line);
    });
    editor.on("SIGINT", () => this.#interrupt());
    // Behind the editor's own listener: by now its line holds the key.
    this.#options.input.on("keypress", () => this.#showTyped());
    editor.prompt();
    return new Promise((resolve) => {
      editor.once("close", () => {
        const goodbye = this.#answer
          ? "It goes on without you: next time, /again shows the answer.\n"
          : "";
        this.#left.abort();
        this.#write(`\n${this.#style(["dim"], goodbye)}`);
        resolve();
      });
    });
  }

  /** Once for all the keys that come together: a paste is as many as it has characters. */
  #showTyped(): void {
    if (!this.#answer || this.#showingTyped) return;
    this.#showingTyped = true;
    setImmediate(() => {
      this.#showingTyped = false;
      this.#answer?.typed();
    });
  }

  #submit(text: string): void {
    const message = text.trim();
    if (isQuit(message)) return this.#editor.close();
    if (message === "") return this.#prompt();
    if (this.#answer && message === "/stop") return this.#stop(this.#answer);
    this.#answer?.interject(this.#style(["dim"], this.#wrapped(`› ${message}\n`)));
    if (message === "/export") return void this.#export();
    const asked = new Asked(this.#options.conversation, message, this.#left.signal);
    if (this.#answer && message.startsWith("/")) return void this.#showBetween(asked);
    this.#waiting.push(asked);
    if (!this.#answer) void this.#showAll();
  }

  async #showAll(): Promise<void> {
    let before: Told = { said: "", failure: "" };
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      before = await this.#showOne(next, before);
      if (this.#left.signal.aborted) return;
    }
    this.#prompt();
  }

  /** What was said before is not said again. */
  async #showOne(asked: Asked, before: Told): Promise<Told> {
    const page = new AnswerPage(this.#options.output, (mark) => this.#style(["dim"], mark));
    const wrap = createWrap(() => this.#options.output.columns);
    const answer: Answer = {
      stopping: false,
      interject: (text) => {
        wrap.interrupted();
        page.end();
        this.#write(text);
        page.mark("…");
        answer.typed();
      },
      typed: () => page.type(this.#editor),
    };
    this.#answer = answer;
    this.#muted = true;
    page.mark("…");
    answer.typed();
    const unrepeated = new Unrepeated(before.said);
    asked.listen({
      text: (more) => page.write(wrap.push(unrepeated.push(more))),
      lost: () => {
        wrap.interrupted();
        page.mark("… the connection is lost; looking for the answer …");
      },
    });
    const outcome = await asked.outcome;
    if (this.#left.signal.aborted) return before;
    page.write(wrap.push(unrepeated.end()) + wrap.end());
    page.end();
    this.#muted = false;
    this.#answer = undefined;
    // It joined the answer before, whose end has been told.
    const failure = outcome.status === "failed" ? outcome.message : "";
    const joined = unrepeated.silent && outcome.status !== "absent";
    if (joined && (failure === "" || failure === before.failure)) return before;
    this.#write(`${this.#endingOf(outcome, asked, answer.stopping)}\n`);
    return { said: asked.said, failure };
  }

  /** A command's answer does not wait for the one that is being written. */
  async #showBetween(asked: Asked): Promise<void> {
    const outcome = await asked.outcome;
    if (this.#left.signal.aborted) return;
    const said = asked.said === "" ? "" : this.#wrapped(`${asked.said.trimEnd()}\n`);
    this.#between(said + this.#endingOf(outcome, asked, false));
  }

  /** Into a file: at a terminal nobody wants to read it. */
  async #export(): Promise<void> {
    const saved = await this.#options.exportFile();
    if (this.#left.signal.aborted) return;
    // Not wrapped: a path is there to be copied.
    this.#between(
      saved.ok ? `Saved to ${saved.value}\n` : this.#style(["red"], `${saved.error}\n`),
    );
  }

  /** Above the prompt, or into the answer that is being written. */
  #between(text: string): void {
    if (this.#answer) return this.#answer.interject(text);
    this.#write(`\r\u001b[K${text}\n`);
    this.#prompt();
  }

  /** A line under the answer, if there is something to say about it. */
  #endingOf(outcome: Outcome, { text, said }: Asked, stopped: boolean): string {
    switch (outcome.status) {
      case "answered":
        if (stopped) return this.#style(["dim"], "Stopped.\n");
        return this.#style(["dim"], said === "" ? "(no answer)\n" : this.#wrapped(ownHelp(text)));
      case "absent":
        return this.#style(["yellow"], this.#wrapped(`${this.#options.absentText}\n`));
      case "failed":
        return this.#style(["red"], this.#wrapped(`${outcome.message}\n`));
    }
  }

  #interrupt(): void {
    if (this.#answer) {
      if (this.#answer.stopping) this.#editor.close();
      else this.#stop(this.#answer);
      return;
    }
    const dropped = this.#paste.drop() || this.#editor.line !== "";
    if (!dropped && this.#leaveOnInterrupt) return this.#editor.close();
    this.#leaveOnInterrupt = !dropped;
    // Only the line goes: readline has no public way to empty it but its own key.
    this.#editor.write(null, { ctrl: true, name: "e" });
    this.#editor.write(null, { ctrl: true, name: "u" });
    if (!dropped)
      this.#write(this.#style(["dim"], "\nCtrl-C once more, Ctrl-D or /quit to leave."));
    this.#write("\n");
    this.#prompt();
  }

  /** The answer ends by itself once the assistant has heard it. */
  #stop(answer: Answer): void {
    answer.stopping = true;
    void this.#options.conversation.ask("/stop", { text: () => {} }, this.#left.signal);
  }

  #prompt(): void {
    this.#editor.prompt(true);
  }

  #write(text: string): void {
    this.#options.output.write(text);
  }

  #wrapped(text: string): string {
    return wrapText(text, this.#options.output.columns);
  }

  #style(format: Parameters<typeof styleText>[0], text: string): string {
    return styleText(format, text, { stream: this.#options.output });
  }

  /** The editor's view of the terminal: the same, but for what it must not show now. */
  #mutable(output: TerminalOutput): NodeJS.WritableStream {
    const view = new Writable({
      write: (chunk: string | Uint8Array, _encoding, done) => {
        if (!this.#muted) output.write(chunk);
        done();
      },
    });
    Object.defineProperty(view, "columns", { get: () => output.columns });
    Object.defineProperty(view, "rows", { get: () => output.rows });
    output.on("resize", () => view.emit("resize"));
    return view;
  }
}
