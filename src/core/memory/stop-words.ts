/** English words that say how a question is put and not what it is about. */
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

export const stopWords: ReadonlySet<string> = new Set(
  lines.flatMap((line) => line.split(" ")).flatMap((word) => [word, word.replaceAll("'", "")]),
);
