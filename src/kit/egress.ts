import {
  heartbeatText,
  isControlMessage,
  mayBecomeControlMessage,
  stripEdgeControlLines,
} from "./control-word.ts";
import { endsInFence } from "./code-region.ts";
import { leakedTagNames, stripLeakedMarkup } from "./leaked-markup.ts";

/**
 * What of a model's answer may leave to a person: no reasoning, no tool calls in XML, no control words.
 * The last gate before an outbox, and the same rules for an unfinished answer that is shown while it
 * grows. It does not redact secrets (redact.ts), nor split or render. Text in code is left as it is.
 */
export type EgressMode = "chat" | "heartbeat";

export interface Egress {
  /** Markdown to send. May be "" without being silent: then the model said nothing at all. */
  readonly text: string;
  /** True when the model asked for nothing to be sent; `text` is "" then. */
  readonly silent: boolean;
}

const silence: Egress = { text: "", silent: true };

/** The finished answer of a turn → what to send. Linear time, never throws. */
export function egress(text: string, mode: EgressMode): Egress {
  const said = stripLeakedMarkup(text, { partial: false });
  if (isControlMessage(said)) return silence;
  if (mode === "heartbeat") {
    const alert = heartbeatText(said);
    return alert === null ? silence : { text: alert, silent: false };
  }
  const kept = said.trim() === "" ? "" : said;
  return { text: stripEdgeControlLines(kept, endsInFence(kept)), silent: false };
}

/**
 * Gathers a streaming answer and says how much of it can be shown. Holds back whatever may still turn
 * into a control word or a tag, so that neither flashes up. A heartbeat shows nothing before it ends.
 */
export interface PreviewFilter {
  /** Adds the next piece of the raw answer. Cheap. */
  push(delta: string): void;
  /** All that may be shown now ("" = nothing yet). Costs one pass over the text: call it when sending. */
  visible(): string;
}

export function createPreviewFilter(mode: EgressMode = "chat"): PreviewFilter {
  let raw = "";
  return {
    push: (delta) => {
      raw += delta;
    },
    visible: () => (mode === "heartbeat" ? "" : visiblePart(raw)),
  };
}

const unfinishedTag = /<[/|｜]?\s{0,4}([A-Za-z_:▁]{0,48})((?:[\s/=|｜][^<>]{0,400})?)$/;

function visiblePart(raw: string): string {
  const shown = stripLeakedMarkup(holdUnfinished(raw), { partial: true });
  if (mayBecomeControlMessage(shown)) return "";
  const lines = stripEdgeControlLines(shown, endsInFence(shown)).split("\n");
  const last = lines.at(-1) ?? "";
  if (lines.length > 1 && !endsInFence(shown) && mayBecomeControlMessage(last)) lines.pop();
  return lines.join("\n").trimEnd();
}

/** Without a tail that may become a tag, or whose backticks may still grow. */
function holdUnfinished(raw: string): string {
  const text = raw.replace(/(?<!`)`+$/, "");
  const at = text.lastIndexOf("<");
  const tail = at === -1 ? null : unfinishedTag.exec(text.slice(at));
  if (!tail) return text;
  const [, name = "", rest = ""] = tail;
  const known = leakedTagNames.some((one) =>
    rest === "" ? one.startsWith(name.toLowerCase()) : one === name.toLowerCase(),
  );
  const special = /^<[|｜]/.test(tail[0]);
  return known || special ? text.slice(0, at) : text;
}
