import type { ModelCall } from "#test/doubles/model-script.ts";
import { newWord } from "#test/harness/words.ts";
import type { Scene } from "./scenario.ts";
import { countWord } from "./words.ts";

/** A question and the word that answers it. */
export interface Pair {
  readonly ask: string;
  readonly answer: string;
}

export function newPair(): Pair {
  return { ask: newWord(), answer: newWord() };
}

export function asking({ tag }: Pick<Scene, "tag">, { ask }: Pair): string {
  return `${tag} what about ${ask}`;
}

/**
 * Answers to all questions that were asked since the model last said something. A last word of its own
 * tells an answer that two people read from one that was given twice.
 */
export function answersTo(call: ModelCall, pairs: readonly Pair[]): string {
  const last = call.messages.findLastIndex(
    (message) => message.role === "assistant" && message.text !== "",
  );
  const asked = call.messages.slice(last + 1).map((message) => message.text);
  const due = pairs.filter(({ ask }) => countWord(asked, ask) > 0);
  return `The answer is ${due.map(({ answer }) => answer).join(" and ")} (${newWord()}).`;
}
