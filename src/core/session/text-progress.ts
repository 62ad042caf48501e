import type { TurnEvent } from "#contract/turn.ts";

/**
 * Turn events → text that only ever grows, for readers who cannot take anything back. When a try is
 * thrown away and made again, the new text continues the old where it can; where the two differ it
 * begins anew on a line of its own. Pure: one call per event, returns what to append.
 */
export interface TextProgress {
  push(event: TurnEvent): string;
}

export function createTextProgress(): TextProgress {
  /** Shown of the present segment (one model answer), and what a new try has said so far. */
  let segment = "";
  let retry: string | null = null;
  let ended = "";
  let any = false;

  const append = (text: string): string => {
    if (text === "") return "";
    const lead = any && segment === "" ? "\n\n" : "";
    segment += text;
    any = true;
    return lead + text;
  };

  const reconcile = (whole: string): string => {
    if (whole.startsWith(segment)) return append(whole.slice(segment.length));
    if (segment.startsWith(whole)) return "";
    segment = "";
    return append(whole);
  };

  return {
    push(event) {
      switch (event.type) {
        case "text-delta": {
          if (retry === null) return append(event.text);
          retry += event.text;
          if (segment.startsWith(retry)) return "";
          const out = reconcile(retry);
          retry = null;
          return out;
        }
        case "restart":
          retry = "";
          return "";
        case "text-end": {
          retry = null;
          const out = event.text === "" ? "" : reconcile(event.text);
          ended = event.text;
          segment = "";
          return out;
        }
        case "ended": {
          // The last answer, perhaps with a word added to it ("cut: …").
          if (ended !== "" && event.text.startsWith(ended)) return event.text.slice(ended.length);
          return event.text === "" ? "" : reconcile(event.text);
        }
        case "started":
        case "tool":
          return "";
      }
    },
  };
}
