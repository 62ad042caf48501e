import { asksToRemember } from "./asks-to-remember.ts";

/**
 * Words that announce somebody else's: "Bob wrote: …", "translate this: …". Pure, bounded and linear.
 * What an owner says of their own saying ("as I said: …") announces nothing.
 */
const says =
  "said|says|saying|wrote|writes|written|asked|asks|replied|replies|answered|answers|told|tells|texted|emailed|mailed|posted|stated|according to|reply was|answer was|quote|quoted|sagt|sagte|schreibt|schrieb|meint|meinte|fragte|antwortete|dit|écrit|répondu|dijo|dice|escribió|escribe|scrive|scritto|disse|escreveu|schreef|schrijft|zei|skrev|skriver|pisze|napisał|napisała|yazdı|пишет|написал|написала|сказал|сказала|говорит|ответил|ответила";
/** The same only right before the colon: else it is what somebody does, or where. */
const saysThen = "reads|goes|states";
/** An owner's own. */
const saidMyself =
  /(?:(?<!\p{L})(?:I|we|ich|wir)(?:['’](?:ve|d))?(?: (?:already|just|have|had|once|always|also|schon|ja|bereits)){0,3}|(?<=^|[.!?\n] ?)(?:let me|my)) $/iu;
const ownVerb =
  /^(?:said|told|asked|answered|sagte|meinte|explain|correct|summari[sz]e|answer)(?: (?:you|to you|your question|myself|before|earlier|already|once|again|that|it|yesterday|last (?:time|week)|dir|euch)){0,3} ?:$/iu;
/** "To answer your question: …" answers it. */
const ownAnswer =
  /(?:(?<=^|[.!?\n] ?)to (?:explain|answer your question)|(?<=^|[.!?\n] ?)(?:in|to) (?:short|summary|summari[sz]e)) ?:$/iu;

const asksFor =
  "translate|translation|summari[sz]e|summary|rewrite|rephrase|paraphrase|proofread|proof-read|correct|improve|shorten|reply to|respond to|answer|explain|check|review|read|analy[sz]e|polish|does (?:this|that|it) mean|übersetze?|zusammenfassung|fasse?|korrigiere?|antworte|traduis|traduce|traduci|traduz|résume|resume|corrige|corriggi|перевед[иь]|переведите";
/** What asks for something at the beginning of a sentence only. */
const asksAtOnce =
  "(?:simplify|edit|fix) \\p{L}+|make (?:this|it)|tl;?dr|eli5|is (?:this|that|it)|auf (?:deutsch|englisch|französisch|spanisch)|in (?:german|english|french|spanish|italian|chinese|japanese)";
/** What nobody asks for without giving the words. */
const rewords =
  "translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|tl;?dr|übersetze?|korrigiere?|traduis|traduce|traduci|перевед[иь]|переведите";
const these =
  "this|that|the|following|below|it|das|dies|diese[nrms]?|folgende[nrms]?|ceci|ça|esto|questo|это";
const names =
  "mail|e-?mail|message|text|letter|article|page|post|tweet|comment|paragraph|passage|document|transcript|sms|reply|nachricht|brief|artikel|texto?|texte|lettre|carta|correo|courriel|письмо|сообщение";

/** A colon behind words that announce somebody else's, unless it is a wish: "remember this text: …". */
const announces = [
  new RegExp(`(?<!\\p{L})(?:${says})(?!\\p{L})[^.!?:\\n]{0,40}:`, "giu"),
  new RegExp(`(?<!\\p{L})(?:${saysThen})(?: (?:as follows|like this|so))? ?:`, "giu"),
  // With a date and an address between the words and the end of their line.
  new RegExp(`(?<!\\p{L})(?:${says})(?!\\p{L})[^\\n]{0,160}:[ \\t]*\\n`, "giu"),
  new RegExp(`(?<!\\p{L})(?:${asksFor})(?!\\p{L})[^.!?:\\n]{0,60}:`, "giu"),
  new RegExp(
    `(?<=^|[.!?\\n] ?)(?:please |bitte )?(?:${asksAtOnce})(?!\\p{L})[^.!?:\\n]{0,60}:`,
    "giu",
  ),
  new RegExp(
    `(?<!\\p{L})(?:${rewords})(?!\\p{L})[^.!?:\\n]{0,20}(?<!\\p{L})(?:${these})(?!\\p{L})[^.!?:\\n]{0,30}[.!?\\n]`,
    "giu",
  ),
  // The task has a line of its own.
  new RegExp(`^[ \\t]*(?:please |bitte )?(?:${rewords})(?!\\p{L})[^.!?:\\n]{0,30}\\n`, "gimu"),
  new RegExp(
    `(?<!\\p{L})(?:this|the|that|following|her|his|their|\\p{L}+['’]s|diese[rnms]?|folgende[rnms]?)(?!\\p{L})[^.!?:\\n]{0,30}(?<!\\p{L})(?:${names})(?!\\p{L})[^.!?:\\n]{0,30}:`,
    "giu",
  ),
  new RegExp(
    `^[ \\t]*(?:(?:i|i've|just|got|have|here['’]?s|here is|a|an|the|new) ){0,4}(?:${names}|this) (?:from|by|von|de|от) [^.!?:\\n]{1,40}[:\\n]`,
    "gimu",
  ),
  new RegExp(
    `^[ \\t]*(?:(?:${names}|whatsapp|body|copied|pasted?)(?: body| text| i got)?|(?:i |i've )?(?:just )?(?:got|received) this|this came in|here it is) ?:(?!\\s*\\S+@)`,
    "gimu",
  ),
  /(?:写道|写着|写到|[說说](?!明|話|话)|寫道|回复|回覆|[问問](?!题|題)|翻译|翻譯|总结|總結|润色|潤色|改写|改寫|言った|言って|書いた|翻訳|訳し|要約|添削|말했|썼|작성|번역|요약)[^。！？:：\n]{0,20}[:：]/gu,
  /^[ \t]*[^。！？:：\n]{0,8}(?:翻译|翻譯|润色|潤色|改写|改寫|翻訳|訳し|要約|添削|번역|요약)[^。！？:：\n]{0,10}[。！？]?\n/gmu,
];

/** Where the first announcement ends behind which something stands; -1: nothing is announced. */
export function endOfIntroduction(text: string): number {
  const ends = announces.flatMap((pattern) => {
    for (const { 0: words, index } of text.matchAll(pattern)) {
      const end = index + words.length;
      if (/^[ \t*_]*$/.test(text.slice(end, end + 200)) && end + 200 >= text.length) continue;
      if (!isOwn(text, { words, index, end })) return [end];
    }
    return [];
  });
  return ends.length === 0 ? -1 : Math.min(...ends);
}

interface Announcement {
  readonly words: string;
  readonly index: number;
  readonly end: number;
}

function isOwn(text: string, { words, index, end }: Announcement): boolean {
  const before = text.slice(Math.max(0, index - 60), index);
  if (saidMyself.test(before) && ownVerb.test(words)) return true;
  if (ownAnswer.test(text.slice(Math.max(0, end - 60), end))) return true;
  if (/(?:^|[，,。！？\s])(?:我|我们)(?:已经|刚才?|都|早就)?$/u.test(before)) {
    if (/^(?:说|說|问|問)/u.test(words)) return true;
  }
  const sentence = sentenceBefore(text, end);
  if (asksToRemember(sentence)) return true;
  const tells = isStanding(sentence) || isTelling(sentence);
  const rest = text.slice(end);
  return tells && isOneSentence(rest) && !asksToRemember(rest.trim());
}

/** Does a wish stand in the sentence before this place? */
export function isWish(text: string, end: number): boolean {
  return asksToRemember(sentenceBefore(text, end));
}

function sentenceBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - 120), end);
  return before
    .slice(Math.max(...[".", "!", "?", "\n", "。"].map((each) => before.lastIndexOf(each))) + 1)
    .trim();
}

/** How something shall be done from now on is no text to do it with. */
function isStanding(sentence: string): boolean {
  return /^(?:please )?(?:from now on|in (?:the )?future|always|never|ab jetzt|ab sofort|immer|künftig|désormais|desde ahora|以后|以後|今后|从现在起|從現在起)(?!\p{L})/iu.test(
    sentence,
  );
}

/** "I read in bed: …", "I want to improve my German: …" tell something, and ask for nothing. */
function isTelling(sentence: string): boolean {
  const asks =
    /(?<!\p{L})(?:you|please|help|this|that|these|following|below|it|need|(?:have|had|want|wants|like) to (?:answer|reply|translate)|should|must|got|received|from)(?!\p{L})/iu;
  return /^(?:(?:and|but|also) )?(?:I|we|my|our)(?!\p{L})/iu.test(sentence) && !asks.test(sentence);
}

function isOneSentence(text: string): boolean {
  return text.length <= 200 && !/[.!?。！？](?=.*[\p{L}\p{N}])|\n/su.test(text.trim());
}
