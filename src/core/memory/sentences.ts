/**
 * Sentences as they stand there. A dot inside a number, a name or an address ends none; neither does one
 * behind an abbreviation or the number of a day ("Dr. Weiß", "Elm St. 14", "4. July") that something follows.
 */
export function sentencesOf(message: string): string[] {
  return message
    .split(/\r?\n/)
    .flatMap((line) => joined(line.match(/.*?(?:[.!?…]+(?=\s|$)|[。！？]+|$)/gsu) ?? []))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** With what stands between them, so that each is found in the message as it is. */
function joined(parts: readonly string[]): string[] {
  const sentences: string[] = [];
  let before = "";
  for (const part of parts) {
    if (goesOn(before, part)) sentences.push((sentences.pop() ?? "") + part);
    else sentences.push(part);
    before = part;
  }
  return sentences;
}

function goesOn(before: string, part: string): boolean {
  if (alwaysLeadsOn.test(before)) return true;
  if (beginsAnew.test(part)) return false;
  if (leadsOn.test(before)) return true;
  if (mayLeadOn.test(before)) return /^\s+[\p{Ll}\d]/u.test(part);
  return /(?<!\d)\d{1,2}\.$/.test(before) && month.test(part);
}

/** Words that a sentence begins with and hardly a name: what people tell of themselves, also all in small letters. */
const beginsAnew =
  /^\s+(?:i|my|mine|we|our|you|he|she|it|they|the|this|that|there|and|but|so|please|ich|mein\p{L}*|wir|unser\p{L}*|er|sie|es|der|die|das|und|aber|bitte|je|mon|ma|mes|nous|yo|mi|mis|io|mio|mia)(?![\p{L}\p{N}])/iu;
const edge = "(?:^|[\\s(/\"“„'’-])";
const alwaysLeadsOn = new RegExp(
  `${edge}(?:e\\.g|i\\.e|vs|approx|ca|bzw|z\\.B|d\\.h|[dhz])\\.$`,
  "u",
);
/** Titles and initials; of a street also the end. */
const leadsOn = new RegExp(
  `${edge}(?:Dr|Drs|Mr|Mrs|Ms|Prof|Hr|Mme|Mlle|Sra|Dra|St|Nr|(?!I)\\p{Lu})\\.$`,
  "u",
);
/** What ends a sentence as often as not. */
const mayLeadOn = new RegExp(
  `${edge}(?:Inc|Ltd|Co|Corp|etc|usw|reg|Str|Ave|Rd|Blvd|Sr|Jr|No|Tel|Fr|a\\.m|p\\.m)\\.$`,
  "iu",
);
const month =
  /^\s+(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*(?!\p{L})/iu;
