/**
 * Text that arrives in pieces, broken between words at the terminal's width; a list item goes on under
 * its own text. Lines of a fenced code block are left to the terminal, so that they can be copied as they
 * are. A word is held back until it is whole.
 */
export interface Wrap {
  /** What may be shown now. */
  push(text: string): string;
  /** Something else was put below what has been shown; the same line goes on below that. */
  interrupted(): void;
  /** The rest; afterwards it begins anew. */
  end(): string;
}

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Narrower than this, words are the smaller nuisance. */
const LEAST_COLUMNS = 20;

/** `columns`: undefined when there is no terminal; then everything passes as it is. */
export function createWrap(columns: () => number | undefined): Wrap {
  const wrap = new Wrapping(columns);
  return {
    push: (text) => wrap.push(text),
    interrupted: () => wrap.interrupted(),
    end: () => wrap.end(),
  };
}

/** The same for a text that is there already. */
export function wrapText(text: string, columns: number | undefined): string {
  const wrap = createWrap(() => columns);
  return wrap.push(text) + wrap.end();
}

class Wrapping implements Wrap {
  readonly #columns: () => number | undefined;
  #column = 0;
  #indent = 0;
  #fenced = false;
  /** A line that was interrupted goes on at the beginning of a row. */
  #resumes = false;
  #gap = "";
  #word = "";
  #out = "";

  constructor(columns: () => number | undefined) {
    this.#columns = columns;
  }

  push(text: string): string {
    const width = this.#columns();
    if (width === undefined || width < LEAST_COLUMNS) return this.#take() + text;
    for (const { segment } of segmenter.segment(text)) this.#add(segment, width);
    return this.#flush();
  }

  interrupted(): void {
    if (this.#column === 0) return;
    this.#column = 0;
    this.#resumes = true;
  }

  end(): string {
    const rest = this.#take();
    this.#startLine();
    this.#fenced = false;
    return rest;
  }

  #add(segment: string, width: number): void {
    if (segment.endsWith("\n")) {
      this.#place(width);
      // A line that was interrupted has been ended on the screen.
      if (!this.#resumes) this.#out += `${this.#gap}\n`;
      this.#startLine();
    } else if (/^[ \t]$/.test(segment)) {
      this.#place(width);
      this.#gap += segment;
    } else if (wide.test(segment)) {
      this.#place(width);
      this.#word = segment;
      this.#place(width);
    } else {
      this.#word += segment;
    }
  }

  /** Puts the word where it fits. */
  #place(width: number): void {
    if (this.#word === "") return;
    const isFirst = this.#column === 0 && !this.#resumes;
    const isAtStart = this.#column === 0;
    if (this.#resumes) this.#resume();
    if (isFirst && this.#word.startsWith("```")) this.#fenced = !this.#fenced;
    const [gap, size] = [this.#gap.length, widthOf(this.#word)];
    if (!isAtStart && !this.#fenced && this.#column + gap + size > width) {
      this.#out += `\n${" ".repeat(this.#indent)}${this.#word}`;
      this.#column = this.#indent + size;
    } else {
      this.#out += this.#gap + this.#word;
      this.#column += gap + size;
    }
    if (isFirst) this.#indent = indentOf(this.#word, gap, width);
    this.#gap = "";
    this.#word = "";
  }

  /** Under the text of its line, as if it had been broken here; code as it is. */
  #resume(): void {
    this.#resumes = false;
    if (!this.#fenced) this.#gap = "";
    const indent = this.#fenced ? 0 : this.#indent;
    this.#out += " ".repeat(indent);
    this.#column = indent;
  }

  #startLine(): void {
    this.#resumes = false;
    this.#column = 0;
    this.#indent = 0;
    this.#gap = "";
  }

  #flush(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  /** What is held back, broken where the width is known. */
  #take(): string {
    const width = this.#columns() ?? Infinity;
    this.#place(width);
    const rest = this.#flush() + this.#gap;
    this.#gap = "";
    return rest;
  }
}

/** Where the lines after the first begin: under the text of a list item, else under the line. */
function indentOf(firstWord: string, gap: number, width: number): number {
  const marker = /^(?:[-*+•!]|\d{1,3}[.)])$/.test(firstWord) ? firstWord.length + 1 : 0;
  return Math.min(gap + marker, Math.floor(width / 2));
}

/** What a person sees as one letter, and the columns it takes. */
export interface Piece {
  readonly text: string;
  readonly width: number;
}

export function piecesOf(text: string): Piece[] {
  return Array.from(segmenter.segment(text), ({ segment }) => ({
    text: segment,
    width: wide.test(segment) ? 2 : 1,
  }));
}

/** Columns that a text takes. */
export function widthOf(text: string): number {
  return piecesOf(text).reduce((sum, { width }) => sum + width, 0);
}

const TAB = 8;

/**
 * Where a text ends in a terminal that breaks lines at `columns` by itself. A line that is just full
 * ends at `columns`: terminals go on only with the next character.
 */
export function columnAfter(text: string, from: number, columns: number): number {
  let column = text.includes("\n") ? 0 : from;
  for (const { segment } of segmenter.segment(text.slice(text.lastIndexOf("\n") + 1))) {
    if (segment === "\t") {
      column = Math.min((Math.floor(column / TAB) + 1) * TAB, columns - 1);
      continue;
    }
    const size = wide.test(segment) ? 2 : 1;
    column = column + size > columns ? size : column + size;
  }
  return column;
}
