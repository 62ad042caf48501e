/**
 * English words without a meaning of their own, in two lists. `functionWords` say how a question is put
 * and not what it is about. `isStopWord` is about what a note says: it knows words of courtesy and of
 * noting as well, and leaves out those that change the meaning, such as "not" and "before".
 */
const lines = [
  "a an the this that these those there here",
  "i me my mine myself you your yours yourself we us our ours he him his she her hers it its they them their",
  "am is are was were be been being do does did done doing have has had having",
  "will would shall should can could may might must ought",
  "and or but nor so if then than because as while though although until unless",
  "of at by for with about against between into through during before after above below",
  "to from up down in out on off over under again once",
  "who whom whose which what when where why how",
  "not no only own same too very just also any some such each few more most other both all",
  "i'm you're he's she's it's we're they're i've you've we've they've i'd you'd i'll you'll",
  "don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't can't couldn't let",
];

export const functionWords: ReadonlySet<string> = new Set(
  lines.flatMap((line) => line.split(" ")).flatMap((word) => [word, word.replaceAll("'", "")]),
);

/** Tells something of what a text is about, however short it is in a script that needs no more. */
export function isTelling(word: string): boolean {
  return !functionWords.has(word) && (word.length > 2 || !/^[a-z0-9']+$/.test(word));
}

const stopWords = new Set(
  (
    "a an the and or but if so as of at by for from in into on onto to with about over under than then that this these " +
    "those there here it its it's is am are was were be been being do does did done have has had having will would can " +
    "could should may might must shall i i'm i've i'd i'll me my mine we our us you your yours he him his she her they " +
    "them their who whom which what when where why how also just very really now again still already too please ok okay " +
    "yes yeah well hey hello hi thanks thank let's let get got go going one some any all more most much many such own same " +
    "owner user owner's user's says said assistant remember note"
  ).split(" "),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
