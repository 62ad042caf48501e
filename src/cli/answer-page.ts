/**
 * One answer on the screen: text that grows, and a mark for the time in which there is nothing to show.
 * The mark stands at the end, on a line of its own once there is text, and goes when text comes.
 */
export interface Screen {
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\u001b[K";

export class AnswerPage {
  readonly #screen: Screen;
  readonly #style: (mark: string) => string;
  #last = "";
  #marked = false;

  constructor(screen: Screen, style: (mark: string) => string) {
    this.#screen = screen;
    this.#style = style;
  }

  mark(text: string): void {
    this.#unmark();
    this.#newLine();
    this.#screen.write(this.#style(text));
    this.#marked = true;
  }

  write(text: string): void {
    if (text === "") return;
    this.#unmark();
    this.#screen.write(text);
    this.#last = text;
  }

  /** Takes the mark away and leaves the cursor at the beginning of a line. */
  end(): void {
    this.#unmark();
    this.#newLine();
  }

  #unmark(): void {
    if (this.#marked) this.#screen.write(CLEAR_LINE);
    this.#marked = false;
  }

  #newLine(): void {
    if (this.#last === "" || this.#last.endsWith("\n")) return;
    this.#screen.write("\n");
    this.#last = "\n";
  }
}
