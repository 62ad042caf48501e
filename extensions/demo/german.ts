/**
 * German, as far as the demo goes: it tells that something is German, and which words of a question are worth
 * looking for. It does not speak it, and says so.
 */
const words = (list: string) => new Set(list.split(" "));

/** Words that hardly stand in an English sentence. */
const telling = words(
  "ich mein meine meinen meinem meiner meines dein deine nicht und der das dem den ein eine einen einem einer ist sind heißt heisst wie wer wo wann warum wieso weshalb welche welcher welches welchen welchem woher wohin wem wen wessen kennst weißt weisst hast habe wohnt über",
);

const filler = words(
  "ich du er sie es wir ihr mich mir dich dir mein meine meinen meinem meiner meines dein deine deinen deinem deiner der die das dem den des ein eine einen einem einer und oder ist sind war waren bin bist hat haben habe hast hatte heißt heisst heißen wie wer was wo wann warum wieso weshalb welche welcher welches welchen welchem woher wohin wem wen wessen kennst weißt weisst denn noch nochmal bitte in im am an auf zu zum zur mit von vom für über um bei aus nach gerade eigentlich",
);

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}]+/gu) ?? [];

/** Two such words, or one and a letter that English does not have. */
export function isGerman(text: string): boolean {
  const found = wordsOf(text).filter((word) => telling.has(word)).length;
  return found + (/[äöüß]/iu.test(text) ? 1 : 0) >= 2;
}

export function isGermanFiller(word: string): boolean {
  return filler.has(word.toLowerCase());
}
