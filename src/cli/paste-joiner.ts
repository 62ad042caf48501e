/**
 * Makes one message of a paste of many lines. A terminal delivers pasted text as if it were typed at
 * once, Enter by Enter: lines that follow each other faster than a hand can are one message, and if
 * the paste ends without Enter, its last line stays in the editor and the message waits for it.
 * Trade-off: every message is sent a moment later.
 */
export interface PasteJoiner {
  /** A line was ended with Enter. */
  push(line: string): void;
  /** Forgets lines that wait. True if there were any. */
  drop(): boolean;
}

export interface PasteJoinerOptions {
  /** What stands in the editor behind the last Enter. */
  readonly rest: () => string;
  readonly submit: (text: string) => void;
  /** Milliseconds of silence after which a burst is over. Default 30. */
  readonly quietMs?: number;
}

export function createPasteJoiner({ rest, submit, quietMs = 30 }: PasteJoinerOptions): PasteJoiner {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    if (rest() !== "") return;
    const text = lines.join("\n");
    lines = [];
    submit(text);
  };

  return {
    push(line) {
      lines.push(line);
      clearTimeout(timer);
      timer = setTimeout(flush, quietMs);
    },
    drop() {
      const waited = lines.length > 0;
      clearTimeout(timer);
      timer = undefined;
      lines = [];
      return waited;
    },
  };
}
