/**
 * marked's tokenizer with the differences a chat needs: raw HTML blocks do not exist (their lines are
 * ordinary text), an open `<a>` or `<pre>` tag changes nothing, `~one tilde~` is not struck out, a
 * bare URL ends before full-width punctuation, and two additions: Slack's `<url|text>` and
 * `||spoiler||`. Everything else is CommonMark + GFM as marked reads it. Character references are left
 * undecoded here, so that they are decoded exactly once, afterwards.
 */
import { Tokenizer, type Tokens } from "marked";

const slackLink = /^<((?:https?:\/\/|mailto:)[^\s<>|]+)\|([^<>\n]+)>/;
const spoiler = /^\|\|(?!\s)([^|\n]{1,2000})(?<!\s)\|\|(?![\p{L}\p{N}|])/u;
const wordOrPipe = /[\p{L}\p{N}|]/u;
const fullWidthPunctuation = /[。，、；：！？（）【】「」『』《》〈〉]/;

export class ChatTokenizer extends Tokenizer {
  override html(): undefined {
    return undefined;
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
    const token = super.inlineText(source);
    if (token === undefined) return undefined;
    const pipes = token.raw.indexOf("||", 1);
    const raw = pipes < 0 ? token.raw : token.raw.slice(0, pipes);
    return { type: "text", raw, text: raw };
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
