import { stripNotes } from "#core/memory/entry-notes.ts";
import { holdsForeign, toldIn, type Told } from "#core/memory/foreign-words.ts";
import { isUnspaced, wordsOf } from "#kit/text/words.ts";
import { namesTheDay } from "./moment.ts";
import { contentTokens } from "./meaning.ts";

/**
 * What a line of a note or transcript says, without what stands around it: list marks, times, speakers,
 * quotation marks, entry notes. And whether it says anything that could be worth keeping at all.
 */
const maxText = 600;

/** Null for headings, comments, rules and empty lines. */
export function contentOf(line: string): string | null {
  const inner = innerOf(line);
  if (inner === null) return null;
  const content = (/^["“](.+)["”]$/u.exec(inner)?.[1] ?? inner).trim();
  return content === "" ? null : shortened(content);
}

/** Of a line of the owner's: what they tell themselves. Null if nothing of it is. */
export function ownContentOf(line: string): Told | null {
  // Words of theirs that stand in a note; all other lines with a quote mark are of somebody else.
  const noted = /^\s*> "(.*)"\s*$/su.exec(stripNotes(line))?.[1];
  if (noted === undefined && /^\s*>/u.test(line)) return null;
  const inner = noted === undefined ? innerOf(line) : innerOf(`- ${noted}`);
  if (inner === null || inner === "") return null;
  const told = holdsForeign(inner) ? toldIn(inner) : [{ text: inner, own: inner }];
  const own = told.map((each) => each.own).join(" ");
  const text = told.map((each) => each.text).join(" ");
  if (text === "") return null;
  const length = shortened(text).length;
  return { text: text.slice(0, length), own: own.slice(0, length) };
}

function shortened(text: string): string {
  return Array.from(text).slice(0, maxText).join("");
}

function innerOf(line: string): string | null {
  const bare = stripNotes(line)
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  if (/^#{1,6}(?: |$)/.test(bare) || /^[-*_=` ]*$/.test(bare)) return null;
  return bare
    .replace(/^(?:>\s*)+/, "")
    .replace(/^(?:[-*+]|\d{1,3}[.)])\s+/, "")
    .replace(/^\[?\d{1,2}:\d{2}\]?\s+/, "")
    .replace(/^(?:owner|user|assistant|agent)\s*:\s*/i, "")
    .replace(/^[[(]?(?:preference|decision|entity|fact|other)[\])]?\s*:?\s+(?=["“\p{L}])/iu, "")
    .trim();
}

/** Fields of our own reports, wherever they turn up: a dream must not feed on dreams. */
const reportLine =
  /\b(?:score|confidence|strength)\s*[:=]\s*\d(?:\.\d+)?\b[\s\S]*\b(?:evidence|status|recalls|queries|gates?|phase)\s*[:=]|\b(?:evidence|status|phase)\s*[:=][\s\S]*\b(?:score|confidence)\s*[:=]\s*\d/i;

export function isReportLine(text: string): boolean {
  return reportLine.test(text);
}

/** Nothing to keep: small talk, questions, fragments of less than two words that mean something. */
export function isTrivial(text: string): boolean {
  if (/[??]["”')]*\s*$/u.test(text)) return true;
  if (isUnspaced(text)) return Array.from(text.replaceAll(/[^\p{L}\p{N}]/gu, "")).length < 4;
  return wordsOf(text).length < 3 || contentTokens(text).size < 2;
}

const opening = String.raw`(?:(?:please|hey|hi|ok|okay|also|and|so|oh|now)[\s,!.:]+|(?:can|could|would|will) you\s+(?:please\s+)?)*`;
const asked: readonly RegExp[] = [
  new RegExp(
    String.raw`^${opening}(?:remember|keep in mind|bear in mind|note(?: down)?|make a note|memori[sz]e|(?:don['’]t|do not|never) forget)\b` +
      String.raw`(?!\s+(?:when|the time|how|what|where|to (?!always|never)))[\s,:–-]*(?:(?:that|this|of|down)\b[\s,:]*)?(.+)$`,
    "diu",
  ),
  /^(.+?)[\s,.;:!–-]+(?:so\s+)?(?:please\s+)?(?:remember|note|keep in mind|(?:don['’]t|do not) forget)\s+(?:that|this|it)(?:[\s,]+please)?[\s.!]*$/diu,
  /^(?:(?:bitte|und|auch|ok|hey|hallo)[\s,.!]+)*(?:merke? dir|vergiss(?: bitte)? nicht|denke?(?: bitte)? daran(?=,? da(?:ss|ß)\s))(?:[\s,]+bitte)?[\s,:]+(.+)$/diu,
  /^(?:souviens-toi|retiens|n['’]oublie pas)[\s,:]+(?:que\s+|qu['’])?(.+)$/diu,
  /^(?:recuerda|no olvides|ricorda(?:ti)?|lembra(?:-te)?)[\s,:]+(?:que\s+|che\s+)?(.+)$/diu,
  /^(?:请|麻烦)?(?:你)?(?:帮我)?(?:要|一定要)?(?:记住|記住|记下(?:来)?|記下(?:來)?|别忘了|別忘了)(?:一下)?[\s,,::。]*(.+)$/du,
  /^(.+?)[、,,\s]*(?:って|と|を|ことを)?(?:覚えて|記憶して)(?:おいて|ください|ね|て|くれ)*[。!!]*$/du,
  /^(.+?)[,\s]*(?:라고|다고|는\s?걸|는\s?것을|은|을|를)?\s*기억해(?:\s?줘|주세요)?[.!]*$/du,
];

/** What ties a fact to the wish is no part of it, in whatever language the wish was. */
const tie =
  /^(?:(?:bitte|mal|doch|einfach)[\s,]+)*(?:(?:folgendes|das|dies)\s*[::,]\s*)?(?:da(?:ss|ß)|que|che)\s+|^qu['’]\s*|^folgendes\s*[::]\s*/iu;

/** "Remember that …", "remember: …", 记住: a fact follows, and not what is to be done. */
const states =
  /(?:\b(?:that|this|dass|que|che)|\bdaß|[::]|记住|記住|记下来?|記下來?)[\s,,]*$|\bqu['’]$/iu;

/**
 * What the owner asks to be remembered in this text; null = nothing. "Don't forget the dentist tomorrow"
 * is a reminder of a day, and over with it. `own`: the same without what it quotes, where the words that
 * ask have to stand.
 */
export function askedToRemember(text: string, own: string = text): string | null {
  if (/[??]\s*$/u.test(text) && !/^(?:please\s+)?(?:can|could|would|will) you\b/i.test(text)) {
    return null;
  }
  for (const form of asked) {
    const [from, to] = form.exec(own)?.indices?.[1] ?? [0, 0];
    const said = text.slice(from, to).replace(/[?？\s]+$/u, "");
    const fact = said.replace(tie, "");
    if (isTrivial(fact)) continue;
    const before = own.slice(0, from) + said.slice(0, said.length - fact.length);
    if (before.trim() === "" || states.test(before) || !namesTheDay(fact)) return fact;
  }
  return null;
}
