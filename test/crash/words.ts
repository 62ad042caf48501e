/** Text of about `length` characters that begins with `word` and is one paragraph. */
export function paragraph(word: string, length: number): string {
  const filler =
    "and so the tide went out over the long grey flats while the gulls argued about it ";
  return `${word} ${filler.repeat(Math.ceil(length / filler.length))}`.slice(0, length).trim();
}

/** How often a word stands in texts. */
export function countWord(texts: readonly string[], word: string): number {
  return texts.reduce((sum, text) => sum + text.split(word).length - 1, 0);
}
