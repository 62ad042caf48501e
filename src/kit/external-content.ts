import { foldCharacters } from "./text-fold.ts";
import { guardText } from "./text-guard.ts";

/**
 * The one frame around text that somebody else wrote, wherever such text reaches a model: the system
 * prompt says once what it means. The id is chosen by the caller so that the text cannot know it, and is
 * the same for the same text in every request. What the text holds that looks like the frame itself, a
 * line of the product or a control token of a model is changed by the least that takes it its force;
 * everything else stays as it was written. It is a frame, not a filter: it blocks nothing.
 */
const name = "EXTERNAL_CONTENT";

/** What stands before and behind; for those who must look inside again. */
export const externalFrame =
  /^<<<EXTERNAL_CONTENT [0-9a-f]{16}>>>\n([\s\S]*)\n<<<END_EXTERNAL_CONTENT [0-9a-f]{16}>>>$/;

export const frameStart = /^<<<EXTERNAL_CONTENT [0-9a-f]{16}>>>$/gm;
export const frameEnd = /^<<<END_EXTERNAL_CONTENT [0-9a-f]{16}>>>$/gm;

/** `id`: 16 hexadecimal digits. */
export function wrapExternal(text: string, id: string): string {
  return `<<<${name} ${id}>>>\n${guardExternal(text)}\n<<<END_${name} ${id}>>>`;
}

/** The text as it may stand inside the frame. Idempotent. */
export function guardExternal(text: string): string {
  return guardText(withoutMarkers(withoutTokens(text)));
}

/** Tokenizers know them by their exact bytes, so look-alikes are harmless. */
const controlToken =
  /<[|｜]([^<>|｜\n]{1,60})[|｜]>|<(\/?(?:start|end)_of_turn)>|\[(\/?INST)\]|<<(\/?SYS)>>|<(\/?s)>|<(\/?(?:bos|eos|pad|unk))>/giu;

function withoutTokens(text: string): string {
  return text.replace(controlToken, (_all, ...groups: unknown[]) => {
    const word = groups.slice(0, 6).find((group) => typeof group === "string") ?? "";
    return `(token ${word})`;
  });
}

/** Whatever an eye may take for an opening bracket. */
const opening =
  /[<[＜﹤［⟨〈〈《«‹≪⟪⦑⧼⪡⋘≺ᐸ˂❮❰【〔〖〘〚⟦⁅❲「『]|&(?:amp;)*(?:lt|laquo|lang|#0*60|#x0*3c);?/giu;
const between = new Set("<[({ _-./|:".split(""));
const words = ["externalcontent", "endexternalcontent"] as const;

function withoutMarkers(text: string): string {
  let result = "";
  let done = 0;
  for (const match of text.matchAll(opening)) {
    if (match.index < done) continue;
    const end = markerEnd(text, match.index + match[0].length);
    if (end === null) continue;
    result += `${text.slice(done, match.index)}[marker removed]`;
    done = end;
  }
  return result + text.slice(done);
}

/** Characters that may stand between two letters of what is still read as the marker. */
const MOST_BETWEEN = 12;

/** Where the marker's words that begin here end; null = they do not. */
function markerEnd(text: string, from: number): number | null {
  let read = "";
  let gap = 0;
  for (const { character, end } of foldCharacters(text, from)) {
    if (between.has(character)) {
      gap += 1;
      if (gap > MOST_BETWEEN) return null;
      continue;
    }
    gap = 0;
    read += character;
    if (words.some((word) => word === read)) return end;
    if (!words.some((word) => word.startsWith(read))) return null;
  }
  return null;
}

/** Signs of a text that wants to be obeyed. For the log: such a text is framed like any other. */
const signs: readonly (readonly [string, RegExp])[] = [
  [
    "override",
    /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all)\b.{0,30}\b(?:instruction|prompt|rule|message)s?\b|(?:忽略|无视|忘记).{0,12}(?:之前|上面|以上|所有).{0,12}(?:指令|指示|提示|规则)/isu,
  ],
  [
    "role",
    /\byou are now\b|\bnew (?:system )?(?:instructions|prompt)\b|\bact as (?:the )?system\b/iu,
  ],
  ["prompt", /\b(?:reveal|print|repeat|show)\b.{0,30}\b(?:system prompt|your instructions)\b/isu],
  ["memory", /\b(?:save|add|write|remember|store)\b.{0,60}\b(?:memory|MEMORY\.md|USER\.md)\b/isu],
  ["marker", /EXTERNAL_CONTENT|<\|[a-z_]{2,30}\|>|\[\/?INST\]/iu],
  [
    "secrets",
    /\b(?:send|post|upload|exfiltrate)\b.{0,60}\b(?:api key|token|password|secret)s?\b/isu,
  ],
];

/** Names of the signs found in the beginning of a text. */
export function suspicions(text: string): string[] {
  const head = text.slice(0, 20_000);
  return signs.filter(([, pattern]) => pattern.test(head)).map(([sign]) => sign);
}
