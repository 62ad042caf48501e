/** Words that say nothing of what a text is about; folded as words.ts folds them. */
const english =
  "a about above after again against all am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its just let me more most my no nor not of off on once only or other our out over own please same she should so some such than that the their them then there these they this those through to too under until up us very was we were what when where which while who whom why will with would you your yours";

const words: ReadonlySet<string> = new Set(english.split(" "));

export function isStopWord(word: string): boolean {
  return words.has(word);
}
