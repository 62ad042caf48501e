/**
 * Sentences as they stand there. A dot inside a number, a name or an address ends none; neither does one
 * behind a title or another abbreviation, nor one before a small letter or a digit ("Elm St. 14").
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
  if (abbreviated.test(before)) return true;
  if (!/[^.]\.$/.test(before)) return false;
  return /^\s+[\p{Ll}\d]/u.test(part) || (/(?<!\d)\d{1,2}\.$/.test(before) && month.test(part));
}

/** What something always follows. */
const abbreviated =
  /(?:^|[\s(/"“„'’-])(?:Dr|Drs|Mr|Mrs|Ms|Prof|Hr|Fr|Mme|Mlle|Sr|Sra|Dra|Sig|St|Nr|No|Tel|vs|approx|ca|bzw|geb|z\.\s?B|d\.\s?h|u\.\s?a|e\.g|i\.e|p\. ex|\p{Lu})\.$/u;
const month =
  /^\s+(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*(?!\p{L})/iu;
