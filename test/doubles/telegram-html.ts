/**
 * Parses `parse_mode: HTML` as the Bot API does: a short list of tags, strictly nested, few entities,
 * the platform's own error sentences. Used by the double only: our renderer must never share code with
 * what judges it. Byte offsets are those of the UTF-8 text, as the real server counts.
 */
export type HtmlResult =
  | { readonly ok: true; readonly text: string; readonly tags: readonly TelegramTag[] }
  | { readonly ok: false; readonly error: string };

export interface TelegramTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** UTF-16 offsets into the visible text. */
  readonly start: number;
  readonly end: number;
}

const allowedTags = new Set([
  "a",
  "b",
  "blockquote",
  "code",
  "del",
  "em",
  "i",
  "ins",
  "pre",
  "s",
  "span",
  "strike",
  "strong",
  "tg-emoji",
  "tg-spoiler",
  "u",
]);
const namedEntities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const attributePattern = /\s+([a-z][a-z-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gy;

interface OpenTag {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly start: number;
}

class HtmlFault extends Error {}

/** Visible text and tags, or the sentence the platform would answer with. */
export function parseTelegramHtml(html: string): HtmlResult {
  try {
    return { ok: true, ...parse(html) };
  } catch (error) {
    if (error instanceof HtmlFault) return { ok: false, error: error.message };
    throw error;
  }
}

function parse(html: string): { text: string; tags: TelegramTag[] } {
  const open: OpenTag[] = [];
  const tags: TelegramTag[] = [];
  let text = "";
  let index = 0;
  while (index < html.length) {
    const character = html[index] ?? "";
    if (character === "&") {
      const entity = decodeEntity(html, index);
      text += entity.text;
      index += entity.length;
    } else if (character !== "<") {
      text += character;
      index += 1;
    } else if (html[index + 1] === "/") {
      index = closeTag(html, index, { open, tags, position: text.length });
    } else {
      index = openTag(html, index, { open, position: text.length });
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) {
    throw new HtmlFault(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  }
  return { text, tags };
}

function openTag(
  html: string,
  index: number,
  state: { readonly open: OpenTag[]; readonly position: number },
): number {
  const name = /[^\s>]*/.exec(html.slice(index + 1))?.[0]?.toLowerCase() ?? "";
  const offset = byteOffset(html, index);
  if (!allowedTags.has(name)) {
    throw new HtmlFault(`Unsupported start tag "${name}" at byte offset ${offset}`);
  }
  const { attributes, end } = readAttributes(html, index + 1 + name.length);
  if (html[end] !== ">") throw new HtmlFault(`Unclosed start tag at byte offset ${offset}`);
  if (name === "span" && attributes["class"] !== "tg-spoiler") {
    throw new HtmlFault(`Tag "span" must have class "tg-spoiler" at byte offset ${offset}`);
  }
  state.open.push({ name, attributes, start: state.position });
  return end + 1;
}

function readAttributes(
  html: string,
  from: number,
): { attributes: Record<string, string>; end: number } {
  const attributes: Record<string, string> = {};
  let end = from;
  attributePattern.lastIndex = from;
  for (;;) {
    const match = attributePattern.exec(html);
    if (!match) break;
    attributes[match[1] ?? ""] = match[2] ?? match[3] ?? match[4] ?? "";
    end = attributePattern.lastIndex;
  }
  while (/\s/.test(html[end] ?? "")) end += 1;
  return { attributes, end };
}

function closeTag(
  html: string,
  index: number,
  state: { readonly open: OpenTag[]; readonly tags: TelegramTag[]; readonly position: number },
): number {
  const offset = byteOffset(html, index);
  const end = html.indexOf(">", index);
  if (end < 0) throw new HtmlFault(`Unclosed end tag at byte offset ${offset}`);
  const name = html
    .slice(index + 2, end)
    .trim()
    .toLowerCase();
  const last = state.open.pop();
  if (!last) throw new HtmlFault(`Unexpected end tag at byte offset ${offset}`);
  if (name !== "" && name !== last.name) {
    const detail = `expected "</${last.name}>", found "</${name}>"`;
    throw new HtmlFault(`Unmatched end tag at byte offset ${offset}, ${detail}`);
  }
  state.tags.push({ ...last, end: state.position });
  return end + 1;
}

function decodeEntity(html: string, index: number): { text: string; length: number } {
  const match = /^&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{1,5}));?/i.exec(
    html.slice(index, index + 12),
  );
  const whole = match?.[0] ?? "&";
  const code = match?.[1] ? parseInt(match[1], 16) : Number(match?.[2] ?? 0);
  if (code > 0 && code <= 0x10_ff_ff) {
    return { text: String.fromCodePoint(code), length: whole.length };
  }
  const named = namedEntities[match?.[3] ?? ""];
  if (named !== undefined) return { text: named, length: whole.length };
  return { text: "&", length: 1 };
}

function byteOffset(html: string, index: number): number {
  return Buffer.byteLength(html.slice(0, index), "utf8");
}
