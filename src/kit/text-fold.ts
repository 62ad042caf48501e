/**
 * Folds a text to what an eye (or a model) takes it for: compatibility forms, invisible characters,
 * look-alike letters and punctuation of other scripts. For comparing only; the folded text is never
 * shown. Not a full confusables table: the Latin letters that Cyrillic and Greek imitate, colons,
 * brackets and spaces, which is what markers are made of.
 */
export interface FoldedCharacter {
  /** One lower-case character. */
  readonly character: string;
  /** UTF-16 offset in the original of what it stands for, and the offset behind it. */
  readonly start: number;
  readonly end: number;
}

const invisible = /[\p{Cf}\p{Cc}\p{Mn}\p{Default_Ignorable_Code_Point}\u2800]/u;
const space = /\s/u;

const lookAlikes = new Map<string, string>([
  // Cyrillic, Greek and Armenian letters that pass for Latin ones, lower-cased.
  ...pairs("аӕвсԁеһіјӏкмոорԛгѕтυѵԝхуʏᴍꜱᴛᴇ", "aabcdehijlkmnopqrstuvwxyymste"),
  ...pairs("αβεηικμνορτυχζѕ", "abenikmvoptuxzs"),
  ...pairs("꞉ː∶׃։︓﹕：ꓽ᛬⁚", ":::::::::::"),
  ...pairs("【〔〖〘〚⟦⁅❲「『⟨〈《«‹≪", "[[[[[[[[[[[[[[[["),
  ...pairs("】〕〗〙〛⟧⁆❳」』⟩〉》»›≫", "]]]]]]]]]]]]]]]]"),
]);

function pairs(from: string, to: string): [string, string][] {
  const targets = Array.from(to);
  return Array.from(from, (character, index) => [character, targets[index] ?? character]);
}

/** The folded characters of a text, one by one, so that a caller may stop early. */
export function* foldCharacters(text: string, from = 0): Generator<FoldedCharacter> {
  let start = from;
  while (start < text.length) {
    const code = text.codePointAt(start) ?? 0;
    const end = start + (code > 0xffff ? 2 : 1);
    for (const character of foldOne(text.slice(start, end), code)) yield { character, start, end };
    start = end;
  }
}

function foldOne(original: string, code: number): string {
  if (code < 0x80) {
    if (space.test(original)) return " ";
    return code < 0x20 || code === 0x7f ? "" : original.toLowerCase();
  }
  let folded = "";
  for (const character of original.normalize("NFKD").toLowerCase()) {
    // Before the spaces, because U+FEFF counts as one.
    if (invisible.test(character)) continue;
    folded += space.test(character) ? " " : (lookAlikes.get(character) ?? character);
  }
  return folded;
}

/** The whole text, folded. */
export function fold(text: string): string {
  let folded = "";
  for (const { character } of foldCharacters(text)) folded += character;
  return folded;
}
