import { windowOn } from "./line-window.ts";
import { columnAfter, widthOf } from "./wrap.ts";

/**
 * One answer on the screen: text that grows, and below it one row that is not part of it: a mark for the
 * time in which there is nothing to show, and what the person types meanwhile. The row goes before text
 * comes and stands again below it, so the two never mix.
 */
export interface Screen {
  write(text: string): unknown;
  readonly columns?: number;
}

/** A line that is being typed, and where in it the cursor stands. */
export interface Typed {
  readonly line: string;
  readonly cursor: number;
}

const CLEAR_LINE = "\r\u001b[K";
const UP = "\u001b[1A";
/** Of a terminal that does not tell. */
const COLUMNS = 80;

export class AnswerPage {
  readonly #screen: Screen;
  readonly #style: (mark: string) => string;
  /** Where the text ends. */
  #column = 0;
  #mark = "";
  #typed: Typed = { line: "", cursor: 0 };
  #drawn: "no" | "here" | "below" = "no";
  /** The text filled its line to the end, and the cursor stands on the next one already. */
  #onNextLine = false;

  constructor(screen: Screen, style: (mark: string) => string) {
    this.#screen = screen;
    this.#style = style;
  }

  mark(text: string): void {
    this.#erase();
    this.#newLine();
    this.#mark = text;
    this.#draw();
  }

  write(text: string): void {
    if (text === "") return;
    this.#erase();
    this.#mark = "";
    this.#put(text);
    this.#draw();
  }

  /** What the person is typing; an empty line takes it away. */
  type(typed: Typed): void {
    this.#erase();
    this.#typed = typed;
    this.#draw();
  }

  /** Takes the row away and leaves the cursor at the beginning of a line. */
  end(): void {
    this.#erase();
    this.#mark = "";
    this.#typed = { line: "", cursor: 0 };
    this.#newLine();
  }

  #put(text: string): void {
    const more = this.#onNextLine && text.startsWith("\n") ? text.slice(1) : text;
    if (this.#onNextLine) this.#column = 0;
    this.#onNextLine = false;
    this.#screen.write(more);
    this.#column = columnAfter(more, this.#column, this.#columns);
  }

  #newLine(): void {
    if (this.#column > 0) this.#put("\n");
  }

  #erase(): void {
    if (this.#drawn === "no") return;
    this.#screen.write(CLEAR_LINE);
    if (this.#drawn === "below") this.#goBack();
    this.#drawn = "no";
  }

  /** Behind the text. What fills its line to the last column goes on at the next, where we are. */
  #goBack(): void {
    if (this.#column >= this.#columns) this.#onNextLine = true;
    else this.#screen.write(`${UP}\u001b[${this.#column + 1}G`);
  }

  #draw(): void {
    const { line, cursor } = this.#typed;
    if (this.#mark === "" && line === "") return;
    const isBelow = this.#column > 0 && !this.#onNextLine;
    const mark = this.#mark === "" ? "" : this.#style(this.#mark);
    if (line === "") {
      this.#screen.write(`${isBelow ? "\n" : ""}${mark}`);
    } else {
      const before = `${this.#mark === "" ? "" : `${this.#mark} `}› `;
      const { text, column } = windowOn(line, cursor, this.#columns - widthOf(before) - 1);
      const shown = `${mark === "" ? "" : `${mark} `}› ${text}`;
      const place = `\u001b[${widthOf(before) + column + 1}G`;
      this.#screen.write(`${isBelow ? "\n" : ""}${shown}${place}`);
    }
    // On the next line already: it is below the text, and so is its way back.
    this.#drawn = isBelow || this.#onNextLine ? "below" : "here";
    this.#onNextLine = false;
  }

  get #columns(): number {
    return this.#screen.columns ?? COLUMNS;
  }
}
