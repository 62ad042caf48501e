import { asksToRemember } from "./asks-to-remember.ts";
import { quotedStretch } from "./quotation.ts";
import { sentencesOf } from "./sentences.ts";

/**
 * Which of the words an owner typed or pasted are their own telling. Judged over a message as a whole:
 * of a quotation only the first sentence looks like one. By form alone, and in doubt they are somebody
 * else's: the transcript keeps them anyway, and nobody reads what is captured or dreamt before it counts.
 * For capture and dreaming alike; a message is read with its lines or, from a transcript, without.
 */
export interface Told {
  readonly text: string;
  /** Of the same length: what is quoted inside an own sentence is blanked out. */
  readonly own: string;
}

/** As long as what they stand for, so that places in the two texts are the same. */
const FOREIGN = "\uFFFD";
const QUOTED = "\uFFFB";
/** So short that it only names something. */
const NAME = "\uFFFC";

/** The owner's own sentences of a message, in order. Linear in its length. */
export function toldIn(message: string): Told[] {
  const masked = maskForeign(message);
  if (masked === message) return sentencesOf(message).map((text) => ({ text, own: text }));
  let from = 0;
  return sentencesOf(masked).flatMap((own) => {
    const at = masked.indexOf(own, from);
    from = at + own.length;
    return isTold(own) ? [{ text: message.slice(at, from), own }] : [];
  });
}

/** A message without what is foreign in it; as it stands if nothing is. */
export function toldText(message: string): string {
  if (!holdsForeign(message)) return message;
  return toldIn(message)
    .map(({ text }) => text)
    .join(" ");
}

/** Does the owner themselves ask for something to be kept, and not somebody they quote? */
export function wishesToKeep(message: string): boolean {
  if (!asksToRemember(message)) return false;
  return toldIn(message).some(({ own }) => asksToRemember(own));
}

/** Is any of it somebody else's, as far as its form can tell? */
export function holdsForeign(message: string): boolean {
  return maskForeign(message) !== message;
}

/** A name in quotation marks is part of a sentence; longer ones are so only where all else is a wish. */
const NAME_WORDS = 8;
const WISH_WORDS = 5;

function isTold(own: string): boolean {
  if (own.includes(FOREIGN)) return false;
  const outside = wordCount(own);
  if (outside === 0) return false;
  return !own.includes(QUOTED) || (asksToRemember(own) && outside <= WISH_WORDS);
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

function maskForeign(message: string): string {
  const until = firstOfTheRest(message);
  const head = maskLines(message.slice(0, until));
  return quoted(head) + FOREIGN.repeat(message.length - until);
}

function quoted(text: string): string {
  const stretch = quotedStretch(text);
  if (!stretch) return text;
  let masked = "";
  let at = 0;
  for (const [from, to] of stretch.spans) {
    const isName = !stretch.whole && wordCount(text.slice(from, to)) <= NAME_WORDS;
    masked += text.slice(at, from) + (isName ? NAME : QUOTED).repeat(to - from);
    at = to;
  }
  return masked + text.slice(at);
}

const quoteMark = /^[\s\p{Cf}]*(?:[-*•] )?(?:[>»|＞›┃│▎❯]|&gt;)/u;

/** A marked line and what follows it up to an empty one: where a line was wrapped, only its first half is marked. */
function maskLines(text: string): string {
  let inside = false;
  return text
    .split("\n")
    .map((line) => {
      if (quoteMark.test(line)) inside = true;
      else if (line.trim() === "") inside = false;
      return inside ? FOREIGN.repeat(line.length) : line;
    })
    .join("\n");
}

/** From here to the end nothing is known to be the owner's; the length of the text = all of it may be. */
function firstOfTheRest(text: string): number {
  const found = [...restBegins, ...(text.includes("\n") ? [] : [markInLine])].map((pattern) =>
    text.search(pattern),
  );
  const introduced = introduction(text);
  return Math.min(text.length, ...[...found, introduced].filter((at) => at >= 0));
}

const headerWord =
  "from|to|cc|subject|date|sent|von|an|betreff|gesendet|datum|objet|envoyé|à|para|asunto|oggetto|inviato|发件人|收件人|主题|发送时间|日期|寄件者|寄件人|收件者|主旨|差出人|件名|宛先|送信日時|보낸 ?사람|받는 ?사람|제목";

const restBegins: readonly RegExp[] = [
  // Fences and what marks a passed-on mail.
  /```|~~~/,
  /^[ \t]*[-–—_=]{2,}[^\n]{0,40}\p{L}[^\n]{0,40}[-–—_=]{2,}[ \t]*$/mu,
  /\b(?:begin forwarded message|forwarded message|original message|ursprüngliche nachricht|weitergeleitete nachricht|message d['’]origine|mensaje original)\b/iu,
  // Headers of a mail at the beginning of a line; between sentences where a transcript has no lines.
  new RegExp(`^[ \\t*_>]*(?:${headerWord})[*_]{0,2}[ \\t]*[:：]`, "imu"),
  /(?<=[\s,;([])(?:From|Subject|Von|Betreff|发件人|主题|差出人|件名|寄件者|主旨|보낸 ?사람|제목)[*_]{0,2} ?[:：]/u,
  // The lines of a chat.
  /^[ \t*_]*[[(]?\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[ap]m)?[\])]?[ ,–-]+\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?:/mu,
  /^[ \t*_]*(?!(?:Remember|Please|Note|Update|FYI|BTW|PS|OK|Ok|Okay|Decision|Reminder|Important|Correction|Also|Well|Sorry|Info|Preference|Fact|Yes|No|Wait|Context|Background|About)\b)\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?[*_]{0,2}: (?:hi|hey|hello|dear|hallo|i|i['’]m|we|my|our)\b/mu,
  /^[ \t*_]*(?:system|assistant|user|human|ai|pagurus) ?[:：]/imu,
];

/** A quoted line that has lost its beginning; not "5 > 3". */
const markInLine = /(?<=^|\s)(?:>|»|&gt;|\|)(?!\s*\d)\s*\S/u;

const says =
  "said|says|saying|wrote|writes|written|asked|asks|replied|replies|answered|answers|told|tells|texted|emailed|mailed|posted|states?|stated|reads|quote|quoted|sagt|sagte|schreibt|schrieb|meint|meinte|fragte|antwortete|dit|écrit|répondu|dijo|dice|escribió|escribe|scrive|scritto|disse|escreveu";
const asksFor =
  "translate|translation|summari[sz]e|summary|rewrite|rephrase|paraphrase|proofread|proof-read|correct|improve|shorten|reply to|respond to|answer|explain|check|review|read|analy[sz]e|polish|übersetze?|zusammenfassung|fasse?|korrigiere?|antworte|traduis|traduce|traduci|résume|resume|corrige";
/** What nobody asks for without giving the words. */
const rewords =
  "translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|übersetze?|korrigiere?";
const names =
  "mail|e-?mail|message|text|letter|article|page|post|tweet|comment|paragraph|passage|document|transcript|nachricht|brief|artikel|texto?|texte|lettre|carta|correo|courriel";

/** A colon behind words that announce somebody else's, unless it is a wish: "remember this text: …". */
const announces = [
  new RegExp(`\\b(?:${says})\\b[^.!?:\\n]{0,40}:`, "giu"),
  new RegExp(`(?<!\\p{L})(?:${asksFor})(?!\\p{L})[^.!?:\\n]{0,60}:`, "giu"),
  new RegExp(
    `(?<!\\p{L})(?:${rewords})(?!\\p{L})[^.!?:\\n]{0,20}\\b(?:this|that|following|below|it)\\b[^.!?:\\n]{0,30}[.!?\\n]`,
    "giu",
  ),
  new RegExp(
    `\\b(?:this|the|that|following|her|his|their|diese[rnms]?|folgende[rnms]?)\\b[^.!?:\\n]{0,30}\\b(?:${names})\\b[^.!?:\\n]{0,30}:`,
    "giu",
  ),
  /(?:写道|写着|写到|說|说|寫道|回复|回覆|问|問|翻译|翻譯|总结|總結|润色|潤色|改写|改寫|言った|言って|書いた|翻訳|要約|말했|썼|번역|요약)[^。！？:：\n]{0,20}[:：]/gu,
];

function introduction(text: string): number {
  const ends = announces.flatMap((pattern) => {
    for (const { 0: words, index } of text.matchAll(pattern)) {
      const end = index + words.length;
      if (/^[ \t*_]*$/.test(text.slice(end, end + 200)) && end + 200 >= text.length) continue;
      if (!isWish(text, end)) return [end];
    }
    return [];
  });
  return ends.length === 0 ? -1 : Math.min(...ends);
}

/** In the sentence before the colon. */
function isWish(text: string, end: number): boolean {
  const before = text.slice(Math.max(0, end - 120), end);
  const sentence = before.slice(
    Math.max(...[".", "!", "?", "\n", "。"].map((each) => before.lastIndexOf(each))) + 1,
  );
  return asksToRemember(sentence.trim());
}
