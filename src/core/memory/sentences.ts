/** Sentences as they stand there. A dot inside a number, a name or an address ends none. */
export function sentencesOf(message: string): string[] {
  return message
    .split(/\r?\n/)
    .flatMap((line) => line.match(/.*?(?:[.!?…]+(?=\s|$)|[。！？]+|$)/gsu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
