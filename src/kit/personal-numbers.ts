/**
 * Takes numbers out of a text that nobody needs to remember: of payment cards, accounts and identity
 * papers. Only what proves itself by its check digits, or is called so by the word before it: phone
 * numbers, dates and order numbers stay, since an owner gives them to be kept. Linear time.
 */
export const numberMask = "[number removed]";

export function maskPersonalNumbers(text: string): string {
  if (!/\d/.test(text)) return text;
  return text
    .replace(labelled, maskLabelled)
    .replace(account, (found) => (isIban(found) ? numberMask : found))
    .replace(socialSecurity, numberMask)
    .replace(taxCode, numberMask)
    .replace(longNumber, (found) => (isPersonal(found.replace(/\D/g, "")) ? numberMask : found))
    .replace(residentId, (found) => (isResidentId(found) ? numberMask : found))
    .replace(dni, (found) => (isDni(found) ? numberMask : found));
}

/** "passport no. X1234567", "身份证号：…": the word decides, whatever the number looks like. */
const labelled =
  /((?:\b(?:passport|social security|ssn|national id|id card|identity card|driver'?s licen[cs]e|tax id|card)\s{0,3}(?:number|no\.?|nr\.?|#)?|身份证号?码?|护照号?码?|银行卡号?|マイナンバー|パスポート番号|주민등록번호)\s{0,3}(?:is|是|为|は)?\s{0,3}[:：#]?\s{0,3})(?=[A-Z\d-]{0,4}\d)[A-Z\d][A-Z\d -]{4,24}[A-Z\d]/giu;
/** The words that follow a number are none of it. */
const prose = /(?: +[a-z-]+)+$/;

function maskLabelled(whole: string, label: string): string {
  const number = whole.slice(label.length);
  const words = prose.exec(number)?.[0] ?? "";
  return number.length - words.length < 6 ? whole : `${label}${numberMask}${words}`;
}

const account = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/g;
const socialSecurity = /(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g;
const taxCode = /\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b/g;
/** Not after a plus: that is a telephone. */
const longNumber = /(?<![\d+.,-])(?<!\+[\d -]{1,3})\d(?:[ -]?\d){11,18}(?![\d.,]?\d)/g;
const residentId = /(?<!\d)[1-9]\d{16}[\dXx](?![\dA-Za-z])/g;
const dni = /(?<![A-Za-z\d])[XYZ]?\d{7,8}-?[A-HJ-NP-TV-Z](?![A-Za-z\d])/g;

function isPersonal(digits: string): boolean {
  if (digits.length >= 13 && /^[2-6]/.test(digits)) return luhn(digits);
  return digits.length === 12 && /^[2-9]/.test(digits) && verhoeff(digits);
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of Array.from(digits).reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0 && !/^(\d)\1+$/.test(digits);
}

/** Aadhaar: the dihedral group of order ten. */
function verhoeff(digits: string): boolean {
  const step = (a: number, b: number) => {
    const turned = a < 5 ? a + (b % 5) : a - (b % 5);
    const half = ((turned % 5) + 5) % 5;
    return a < 5 === b < 5 ? half : half + 5;
  };
  let permuted = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  const tables = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], permuted];
  const first = permuted;
  while (tables.length < 8) {
    permuted = permuted.map((value) => first[value] ?? 0);
    tables.push(permuted);
  }
  let check = 0;
  for (const [index, digit] of Array.from(digits).reverse().entries()) {
    check = step(check, tables[index % 8]?.[Number(digit)] ?? 0);
  }
  return check === 0;
}

function isIban(found: string): boolean {
  const compact = found.replaceAll(" ", "");
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

function isResidentId(found: string): boolean {
  let sum = 0;
  for (let index = 0; index < 17; index += 1) {
    sum += Number(found[index]) * (2 ** (17 - index) % 11);
  }
  return "10X98765432"[sum % 11] === found[17]?.toUpperCase();
}

function isDni(found: string): boolean {
  const number = found.slice(0, -1).replace("-", "");
  const digits = number.replace(/^[XYZ]/, (first) => String("XYZ".indexOf(first)));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[Number(digits) % 23] === found.at(-1);
}
