/**
 * Answers of a table's reads, kept until something is written to it. An object is the only writer of its
 * tables, and the core asks the same things again and again ("does a turn run?", "is anything to be
 * sent?"), which is how it needs no state of its own. What a rolled back transaction has read must be
 * forgotten too; the caller sees to that.
 */
export class ReadCache {
  readonly #answers = new Map<string, unknown>();

  /** The kept answer to a question, or the one `read` gives now. Answers are shared: never change one. */
  keep<Answer>(question: string, read: () => Answer): Answer {
    if (this.#answers.has(question)) return this.#answers.get(question) as Answer;
    const answer = read();
    this.#answers.set(question, answer);
    return answer;
  }

  /** The kept answer, if there is one. */
  kept<Answer>(question: string): Answer | undefined {
    return this.#answers.get(question) as Answer | undefined;
  }

  /** Keeps an answer that a write has made plain. */
  put(question: string, answer: unknown): void {
    this.#answers.set(question, answer);
  }

  /** Puts another answer in the place of each kept one; undefined = it is read again. */
  change(change: (question: string, answer: unknown) => unknown): void {
    for (const [question, answer] of this.#answers) {
      const now = change(question, answer);
      if (now === undefined) this.#answers.delete(question);
      else this.#answers.set(question, now);
    }
  }

  /** Everything, or all answers but those that a write has surely left as they were. */
  forget(stays?: (question: string, answer: unknown) => boolean): void {
    if (!stays) return this.#answers.clear();
    for (const [question, answer] of this.#answers) {
      if (!stays(question, answer)) this.#answers.delete(question);
    }
  }
}
