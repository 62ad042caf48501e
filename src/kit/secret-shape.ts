/**
 * Masks what looks like a secret by its shape alone: tokens of known services, credentials in URLs,
 * authorization headers, settings, private keys. It knows no configured value (see redact.ts) and does
 * not guess at high-entropy text: hashes and ids must stay readable in logs.
 * Linear time: a pattern either starts at a boundary that its own repeated class cannot contain, or has
 * its only unbounded repetition at the end. Masking twice changes nothing more.
 */
export const mask = "[redacted]";

/** Not inside a word, unless the "word" is the tail of a percent or backslash escape. */
const edge = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[nrtbf]))`;
const colon = "(?::|%(?:25){0,3}3A)";
const tokenCharacter = "(?:[A-Za-z0-9_-]|%2D|%5F)";

interface Shape {
  readonly pattern: RegExp;
  readonly replacement: string;
}

const shapes: readonly Shape[] = [
  // Telegram: in a path (any API root) the word "bot" precedes the token.
  shape(`((?:/|%2F)bot)\\d{1,20}${colon}${tokenCharacter}{3,}`, `$1${mask}`, "gi"),
  shape(`bot\\d{6,20}${colon}${tokenCharacter}{20,}`, `bot${mask}`, "gi"),
  shape(`${edge}\\d{6,12}${colon}[A-Za-z0-9_-]{30,}`, mask, "gi"),
  // Anthropic, OpenAI and the many that copied their form.
  shape("sk-ant-[A-Za-z0-9_-]{6,}", mask),
  shape(`${edge}sk-(?:(?=[A-Za-z_-]{0,200}\\d)[A-Za-z0-9_-]{8,}|[A-Za-z0-9_-]{20,})`, mask),
  // Slack, including app-level and refresh tokens and incoming webhooks.
  shape("(?:xox[a-z](?:\\.xox[a-z])?|xapp)-[A-Za-z0-9-]{4,}", mask),
  shape(
    "hooks\\.slack\\.com/(services|workflows|triggers)/[A-Za-z0-9/_-]+",
    `hooks.slack.com/$1/${mask}`,
  ),
  // GitHub, GitLab, npm, Hugging Face, Groq, xAI.
  shape("(?:gh[opsur]_|github_pat_)[A-Za-z0-9_]{10,}", mask),
  shape(`${edge}(?:glpat-|npm_|hf_|gsk_|xai-)[A-Za-z0-9_-]{16,}`, mask),
  // AWS key ids, Google API keys.
  shape(`${edge}(?:AKIA|ASIA)[A-Z0-9]{12,}`, mask),
  shape("AIza[A-Za-z0-9_-]{30,}", mask),
  // JSON Web Tokens.
  shape(`${edge}eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*`, mask),
  // Credentials before the host of a URL.
  shape("://[^\\s/\\\\?#\"'`<>]+@", `://${mask}@`),
  // Authorization headers, then bare "Bearer …" (long, or with a digit, so that prose stays).
  shape(
    "(authorization[\"']?\\s{0,3}[:=]\\s{0,3}[\"']?(?:(?:bearer|basic|bot|token)\\s{1,3})?)(?!\\[redacted|(?:bearer|basic|bot|token)\\s)[^\\s\"',;]+",
    `$1${mask}`,
    "gi",
  ),
  shape(
    `${edge}(Bearer(?:\\s{1,3}|%20|\\+))(?:(?=[A-Za-z._~+/=-]{0,200}\\d)[A-Za-z0-9._~+/=-]{6,}|[A-Za-z0-9._~+/=-]{16,})`,
    `$1${mask}`,
    "gi",
  ),
  shape(
    "((?:x-api-key|x-goog-api-key|api-key)[\"']?\\s{0,3}:\\s{0,3}[\"']?)[^\\s\"'\\\\,;]+",
    `$1${mask}`,
    "gi",
  ),
  shape("(cookie[\"']?\\s{0,3}:\\s{0,3}[\"']?)[\\w.-]{1,100}=[^\\r\\n\"'\\\\]+", `$1${mask}`, "gi"),
];

function shape(source: string, replacement: string, flags = "g"): Shape {
  return { pattern: new RegExp(source, flags), replacement };
}

const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:(?!-----)[\s\S])*)(-----END [A-Z0-9 ]{0,60}-----)?/g;
const queryValue = /([?&#;]|%3F|%26)([\w.[\]-]{1,80})(=|%3D)((?:(?!%26)[^&#\s"'<>`])+)/gi;
const assignment = /(?<![\w-])([A-Za-z][\w-]{0,63})=((?![$<{[])[^\s"'`,;&<>]{4,})/g;
const quotedMember = /(\\?["'])([A-Za-z][\w-]{0,63})\1(\s{0,3}:\s{0,3}\\?["'])([^"'\\\r\n]+)/g;

/** The text with everything that looks like a secret masked. Never throws. */
export function maskShapes(text: string): string {
  let masked = text.replace(privateKey, maskPrivateKey);
  for (const { pattern, replacement } of shapes) masked = masked.replace(pattern, replacement);
  return masked
    .replace(queryValue, (whole, before: string, name: string, equals: string) =>
      isSecretParameter(name) ? `${before}${name}${equals}${mask}` : whole,
    )
    .replace(assignment, (whole, name: string) => (isSecretName(name) ? `${name}=${mask}` : whole))
    .replace(quotedMember, (whole, quote: string, name: string, between: string) =>
      isSecretName(name) ? `${quote}${name}${quote}${between}${mask}` : whole,
    );
}

/** A block cut off before its end loses only the lines that are key material. */
function maskPrivateKey(_whole: string, body: string, end: string | undefined): string {
  const begin = "-----BEGIN PRIVATE KEY-----";
  if (end !== undefined) return `${begin}${mask}-----END PRIVATE KEY-----`;
  return begin + body.replace(/[A-Za-z0-9+/=]{16,}/g, mask);
}

/** Names of settings, headers and JSON members whose value is a secret wherever they stand. */
export function isSecretName(name: string): boolean {
  return (
    /(?:api|secret|private|access|signing|encryption|account)[_-]?key$/i.test(name) ||
    /(?:^|[_-])(?:token|secret|password|passwd|passphrase)$/i.test(name) ||
    /[a-z](?:Token|Secret|Password)$/.test(name) ||
    /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i.test(name)
  );
}

/** In a query string the bare words are secrets too (`?key=…`, `&sig=…`). */
function isSecretParameter(name: string): boolean {
  return (
    isSecretName(name) ||
    /token(?!s|iz)|secret|signature|passw|passphrase|pwd|credential|(?:api|access)_?key/i.test(
      name,
    ) ||
    /(?:^|[_.-])(?:key|sig|auth|authorization|jwt)(?:[_.-]?id)?$/i.test(name) ||
    /[a-z](?:Key|Sig)(?:Id)?$/.test(name)
  );
}
