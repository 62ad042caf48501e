/**
 * A terminal as far as the chat uses one: letters of one column, line breaks, the cursor moved by the
 * sequences it writes. It goes on at the next row only with the letter that no longer fits, as terminals
 * do. It refuses what it does not know.
 */
export class TinyTerminal {
  readonly columns: number;
  readonly #rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  write(text: string): void {
    for (const [part] of text.matchAll(/\u001b\[\d*[A-Z]|[^]/g)) this.#take(part);
  }

  /** Rows as they are seen, without blanks at the end. */
  rows(): string[] {
    const seen = this.#rows.map((row) => Array.from(row, (letter) => letter ?? " ").join(""));
    while (seen.length > 1 && seen.at(-1) === "") seen.pop();
    return seen.map((row) => row.trimEnd());
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column };
  }

  #take(part: string): void {
    if (part === "\n") this.#move(this.#row + 1, 0);
    else if (part === "\r") this.#column = 0;
    else if (part === "\u001b[K") this.#rows[this.#row]?.splice(this.#column);
    else if (part === "\u001b[1A") this.#move(this.#row - 1, this.#column);
    else if (part.startsWith("\u001b[") && part.endsWith("G")) {
      this.#column = Math.min(Number(part.slice(2, -1)), this.columns) - 1;
    } else if (part.length === 1 && part >= " ") this.#print(part);
    else throw new Error(`not known here: ${JSON.stringify(part)}`);
  }

  #print(letter: string): void {
    if (this.#column === this.columns) this.#move(this.#row + 1, 0);
    const row = this.#rows[this.#row] ?? [];
    row[this.#column] = letter;
    this.#column += 1;
  }

  #move(row: number, column: number): void {
    if (row < 0) throw new Error("above the first row");
    this.#row = row;
    this.#column = column;
    while (this.#rows.length <= row) this.#rows.push([]);
  }
}
