import { stem } from "#kit/text/stem.ts";
import { isStopWord } from "#kit/text/stop-words.ts";
import { wordsOf } from "#kit/text/words.ts";

/**
 * What makes a fact this one and no other, where all its other words are those of another, besides its figures
 * (meaning.ts): names, numbers in words, days, months, sides. "Every second Tuesday …" and "every second Thursday …" share all
 * words but one, and say two things. One text may have more of them than the other ("in Porto" is left
 * out); it is the exchange that tells them apart.
 */
const exchangeable = new Set(
  (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty hundred " +
    "first second third fourth fifth sixth once twice half quarter monday tuesday wednesday thursday friday saturday sunday " +
    "january february march april may june july august september october november december spring summer autumn winter " +
    "left right north south east west top bottom upper lower upstairs downstairs inside outside morning noon afternoon evening night " +
    "daily weekly monthly yearly before after always sometimes son daughter brother sister father mother husband wife " +
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf erste ersten zweite zweiten dritte dritten montag dienstag mittwoch " +
    "donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november dezember " +
    "links rechts linke linken rechte rechten oben unten norden süden osten westen morgens mittags abends vor nach"
  )
    .split(" ")
    .map(stem),
);
const unspacedExchangeable = /[一二三四五六七八九十百千两左右东南西北東西日月早晚]/gu;

/** The words of a text that must not be exchanged. */
export function particularsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize("NFKC");
  const capitals = plain.match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’-]*/gu) ?? [];
  const names = capitals.flatMap(wordsOf).filter((word) => !isStopWord(word));
  const closed = wordsOf(plain).filter((word) => exchangeable.has(stem(word)));
  return new Set([
    ...[...names, ...closed].map(stem),
    ...(plain.match(unspacedExchangeable) ?? []),
  ]);
}
