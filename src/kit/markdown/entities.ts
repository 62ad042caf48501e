/**
 * HTML character references → characters, once. All numeric ones, and the named ones that people and
 * models write (mark-up, Latin-1, Greek, typography, arrows, mathematics); a rarer name stays as it
 * was written. The full table of 2,231 names would weigh more than the parser.
 */

/** Names of consecutive code points, from the given one on. */
const ranges: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 " +
      "sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute " +
      "Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH " +
      "Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
      "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc " +
      "iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute " +
      "thorn yuml",
  ],
  [
    0x391,
    "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho",
  ],
  [0x3a3, "Sigma Tau Upsilon Phi Chi Psi Omega"],
  [
    0x3b1,
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho",
  ],
  [0x3c2, "sigmaf sigma tau upsilon phi chi psi omega"],
  [0x2190, "larr uarr rarr darr harr"],
  [0x21d0, "lArr uArr rArr dArr hArr"],
];

const singles =
  "amp=38 lt=60 gt=62 quot=34 apos=39 AMP=38 LT=60 GT=62 QUOT=34 OElig=338 oelig=339 Scaron=352 " +
  "scaron=353 Yuml=376 fnof=402 circ=710 tilde=732 ensp=8194 emsp=8195 thinsp=8201 zwnj=8204 zwj=8205 " +
  "ndash=8211 mdash=8212 horbar=8213 lsquo=8216 rsquo=8217 sbquo=8218 ldquo=8220 rdquo=8221 " +
  "bdquo=8222 dagger=8224 Dagger=8225 bull=8226 hellip=8230 permil=8240 prime=8242 Prime=8243 " +
  "lsaquo=8249 rsaquo=8250 euro=8364 trade=8482 forall=8704 part=8706 exist=8707 empty=8709 nabla=8711 " +
  "isin=8712 notin=8713 ni=8715 prod=8719 sum=8721 minus=8722 lowast=8727 radic=8730 prop=8733 " +
  "infin=8734 ang=8736 and=8743 or=8744 cap=8745 cup=8746 int=8747 there4=8756 sim=8764 cong=8773 " +
  "asymp=8776 approx=8776 ne=8800 equiv=8801 le=8804 ge=8805 sub=8834 sup=8835 sube=8838 supe=8839 " +
  "oplus=8853 otimes=8855 perp=8869 sdot=8901 check=10003 cross=10007 star=9734 starf=9733 hearts=9829";

const named = buildNames();

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,15}));/g;

/** Replaces each character reference by its character. What is not one stays literal. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? whole;
    return fromCodePoint(decimal === undefined ? parseInt(hex ?? "0", 16) : parseInt(decimal, 10));
  });
}

/** Invalid code points become U+FFFD, control characters nothing, a carriage return a line break. */
function fromCodePoint(code: number): string {
  if (code === 0x0a || code === 0x0d) return "\n";
  if (code === 0x09) return "\t";
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return "";
  return String.fromCodePoint(code);
}

function buildNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [first, list] of ranges) {
    list.split(" ").forEach((name, index) => names.set(name, String.fromCodePoint(first + index)));
  }
  for (const pair of singles.split(" ")) {
    const [name = "", code = "0"] = pair.split("=");
    names.set(name, String.fromCodePoint(Number(code)));
  }
  return names;
}
