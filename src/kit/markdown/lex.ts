/**
 * marked's tokenizer with the differences a chat needs: raw HTML blocks do not exist (their lines are
 * ordinary text), an open `<a>` or `<pre>` tag changes nothing, `~one tilde~` is not struck out, a
 * bare URL ends before full-width punctuation, and two additions: Slack's `<url|text>` and
 * `||spoiler||`. Everything else is CommonMark + GFM as marked reads it. Character references are left
 * undecoded here, so that they are decoded exactly once, afterwards.
 */
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";

const slackLink = /^<((?:https?:\/\/|mailto:)[^\s<>|]+)\|([^<>\n]+)>/;
const spoiler = /^\|\|(?!\s)([^|\n]{1,2000})(?<!\s)\|\|(?![\p{L}\p{N}|])/u;
const wordOrPipe = /[\p{L}\p{N}|]/u;
const fullWidthPunctuation = /[。，、；：！？（）【】「」『』《》〈〉]/;

/** Longest stretch of text that is looked at at once for emphasis and links, UTF-16 units. */
const maxInlineLength = 4096;

/** The block tokens of a text. Throws RangeError on nesting beyond the stack. */
export function lexMarkdown(text: string): Token[] {
  const tokenizer = new ChatTokenizer(text.includes("||"));
  return new ChatLexer({ gfm: true, breaks: false, tokenizer }).lex(text);
}

/**
 * Some inputs cost marked quadratic time per stretch of inline text (`a_b_a_b_…`: a minute for
 * 200 KB). Longer stretches are read in pieces, so the whole stays linear; emphasis that spans two
 * pieces is the price.
 */
class ChatLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    let rest = source;
    while (rest.length > maxInlineLength) {
      const piece = rest.slice(0, pieceLength(rest));
      super.inlineTokens(piece, tokens);
      rest = rest.slice(piece.length);
    }
    return super.inlineTokens(rest, tokens);
  }
}

/** A piece ends after a line end, else after a space, else where it must (never inside a pair). */
function pieceLength(text: string): number {
  const half = maxInlineLength / 2;
  const line = text.lastIndexOf("\n", maxInlineLength - 1);
  if (line >= half) return line + 1;
  const space = text.lastIndexOf(" ", maxInlineLength - 1);
  if (space >= half) return space + 1;
  return /[\ud800-\udbff]/.test(text.charAt(maxInlineLength - 1))
    ? maxInlineLength - 1
    : maxInlineLength;
}

class ChatTokenizer extends Tokenizer {
  readonly #hasPipes: boolean;

  constructor(hasPipes: boolean) {
    super();
    this.#hasPipes = hasPipes;
  }

  override html(): undefined {
    return undefined;
  }

  /** Looks at the second line first: marked would read all that follows before it says no. */
  override table(source: string): Tokens.Table | undefined {
    const first = source.indexOf("\n");
    const second = source.indexOf("\n", first + 1);
    const delimiters = source.slice(first, second < 0 ? undefined : second);
    return /[|:]/.test(delimiters) ? super.table(source) : undefined;
  }

  override tag(source: string): Tokens.Tag | undefined {
    const token = super.tag(source);
    this.lexer.state.inLink = false;
    this.lexer.state.inRawBlock = false;
    return token;
  }

  override autolink(source: string): Tokens.Link | undefined {
    const match = slackLink.exec(source);
    if (match === null) return super.autolink(source);
    const [raw, href = "", text = ""] = match;
    const label: Tokens.Text = { type: "text", raw: text, text };
    return { type: "link", raw, href, text, tokens: [label] };
  }

  override url(source: string): Tokens.Link | undefined {
    const token = super.url(source);
    if (token === undefined) return undefined;
    const end = token.raw.search(fullWidthPunctuation);
    if (end < 0) return token;
    return super.url(source.slice(0, end));
  }

  override del(source: string, maskedSource: string, before?: string): Tokens.Del | undefined {
    if (source.startsWith("||")) return this.#spoiler(source, before);
    const token = super.del(source, maskedSource, before);
    return token?.raw.startsWith("~~") === true ? token : undefined;
  }

  /** Plain text, up to where a spoiler could begin. */
  override inlineText(source: string): Tokens.Text | undefined {
    const pipes = this.#hasPipes ? source.indexOf("||", 1) : -1;
    const token = super.inlineText(pipes < 0 ? source : source.slice(0, pipes));
    return token === undefined ? undefined : { type: "text", raw: token.raw, text: token.raw };
  }

  /** A spoiler is a `del` token whose raw text starts with pipes: marked knows no such token. */
  #spoiler(source: string, before = ""): Tokens.Del | undefined {
    if (wordOrPipe.test(before.slice(-1))) return undefined;
    const match = spoiler.exec(source);
    if (match === null) return undefined;
    const [raw, text = ""] = match;
    return { type: "del", raw, text, tokens: this.lexer.inlineTokens(text) };
  }
}
