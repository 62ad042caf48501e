import { namesTheDay } from "./moment.ts";
import { placeKey } from "./supersede-places.ts";
import { becomes, mine, who } from "./supersede-words.ts";

/**
 * What a sentence settles once and for all, as a key: two sentences with the same key cannot both hold,
 * so the one observed later replaces the other. Only forms that have one value at a time ("I moved to
 * Porto", "call me Ada", "I prefer X over Y", 我搬到…): "my sister is …" may be said of two sisters, "my
 * car is dirty" of the same car as "my car is a Volvo". In doubt a sentence settles nothing.
 * By rule, so that a night without a model replaces as well instead of piling up.
 */
export function subjectKey(text: string): string | null {
  const plain = text
    .normalize("NFKC")
    .replaceAll("’", "'")
    .replace(/^owner\s*:\s*/i, "")
    .trim();
  for (const [pattern, key] of forms) {
    const found = pattern.exec(plain);
    const made = found && key(...found.slice(1).map((part) => part ?? ""));
    if (made) return made.slice(0, 80).trim();
  }
  // Where something stands today it may not stand tomorrow.
  return namesTheDay(plain) ? null : placeKey(plain);
}

type Form = readonly [RegExp, (...parts: string[]) => string | null];

/** Of these one has one, and what follows is its value. */
const values =
  "name|full name|nickname|pronouns|address|(?:home|work|office|private|postal) address|(?:work |private )?email(?: address)?|" +
  "phone|(?:work |private |home |mobile |cell )?(?:phone )?number|landline|birthday|job title|profession|occupation|time ?zone|" +
  "hometown|blood type|(?:shoe|shirt|ring|dress|clothes|glove|hat) size|diet|postcode|zip code|native language|mother tongue|" +
  "(?:office|working|opening) hours|(?:room|office|desk|locker|flat|membership|customer|insurance|licence|license) number|" +
  "(?:licence|license|number) plate";
/** Of these one has one, too, but they may be dirty, late or kind: a capital tells a name. */
const holders =
  "employer|company|boss|manager|city|home|country|car|doctor|dentist|bank|wife|husband|partner|editor|landlord|gym|" +
  "birth name|mobile provider|supervisor|team lead|assistant|secretary|accountant|tax advisor|lawyer|solicitor|vet|therapist|" +
  "hairdresser|physiotherapist|gp|fianc[ée]e?|girlfriend|boyfriend|insurer|health insurance|internet provider|" +
  "electricity supplier|university|operating system|browser|phone provider";
/** "call me back", "call me when you are there": no name. */
const noName =
  "back|later|tomorrow|today|tonight|when|at|on|in|if|after|before|again|now|asap|once|by|from|up|and|or|about|to|for|this|next|soon|any|every";

const forms: readonly Form[] = [
  [
    new RegExp(
      `^(?:(?:please|just|from now on|now)[\\s,]+)*call me\\s+(?!(?:${noName})\\b|\\w+'s )\\S+(?:\\s+\\S+){0,3}$`,
      "i",
    ),
    () => "name-to-use",
  ],
  [new RegExp(`${who}(?:wants?|likes?|prefers?) to be called\\s`, "i"), () => "name-to-use"],
  [
    /^(?:请|以后|就|从现在起|[,,])*叫我(?!起床|一声|去|来|回|不|怎么|做|帮|给|别)\S{1,8}$/u,
    () => "name-to-use",
  ],
  [/^我(?:现在)?叫(?!了|他|她|它|你|外卖|车|人|不)\S{1,8}$/u, () => "my:name"],
  [new RegExp(`${who}(?:live|lives|living|reside|resides)\\s+(?:in|at)\\s`, "i"), () => "home"],
  [
    new RegExp(
      `${who}(?:moved|moving)\\s+(?:back )?to\\s+(?!(?:the|a|an|another|next|your|my|this|that|use|using)\\b)`,
      "i",
    ),
    () => "home",
  ],
  [/^我(?:们)?(?:现在|目前|最近|刚|已经)*(?:住在|住|搬到|搬去|搬家到|搬回)了?\S/u, () => "home"],
  [
    new RegExp(`${who}(?:work|works|working|started working)\\s+(?:at|for|as)\\s`, "i"),
    () => "work",
  ],
  [/^(?:nenn|nennt) mich (?!nicht|mal|heute)\S+(?:\s+\S+){0,2}$/iu, () => "name-to-use"],
  [/^ich (?:wohne|lebe) (?:jetzt |nun |seit \S+ )*in \S/iu, () => "home"],
  [/^ich (?:jetzt |nun )*in \S+ (?:wohne|lebe)[.!]*$/iu, () => "home"],
  [/^ich (?:bin|habe mich) (?:jetzt |gerade |vor kurzem )*nach \S+ (?:um)?gezogen/iu, () => "home"],
  [/^ich arbeite (?:jetzt |nun |seit \S+ )*(?:bei|als|für) \S/iu, () => "work"],
  [/^我(?:现在|目前|刚)*在(?!家).{1,20}(?:工作|上班)/u, () => "work"],
  [
    new RegExp(
      `${who}(?:prefer|prefers|like|likes)\\s+(.+?)\\s+(?:over|to|rather than|more than|instead of)\\s+(.+)$`,
      "i",
    ),
    (first = "", second = "") => pair(first, second),
  ],
  [
    /^我(?:现在|更|比较)*(?:喜欢|偏好|想要)(?:喝|吃|用|看)?(.+?)(?:胜过|多过|多于|而不是|不是)(.+)$/u,
    (first = "", second = "") => pair(first, second),
  ],
  [
    /^比起(.+?)[,,]?我(?:现在|更|比较)*喜欢(.+)$/u,
    (first = "", second = "") => pair(first, second),
  ],
  [
    new RegExp(
      `${who}(?:(?:do not|don't|does not|doesn't|no longer|used to|never)\\s+)?(?:like|likes|love|loves|hate|hates|dislike|dislikes|enjoy|enjoys)\\s+(.+?)(?:\\s+(?:any ?more|now|too|a lot|very much))*[.!]*$`,
      "i",
    ),
    (thing = "") => `like:${phrase(thing)}`,
  ],
  [
    /^我(?:现在|已经|也|很|最|真|非常|不|不再|没那么|再)*(?:喜欢|爱|讨厌)(?:喝|吃|用|看)?(.+?)了?[。!!]*$/u,
    (thing = "") => `like:${phrase(thing)}`,
  ],
  [
    new RegExp(`${mine}(favou?rite\\s+.{1,40}?)${becomes}\\S`, "i"),
    (thing = "") => `my:${phrase(thing.replace(/favourite/i, "favorite"))}`,
  ],
  [new RegExp(`${mine}(${values})${becomes}\\S`, "i"), (thing = "") => `my:${phrase(thing)}`],
  [
    new RegExp(`${mine}(${holders})${becomes}(\\S+)`, "i"),
    (thing = "", value = "") => (/^\p{Lu}/u.test(value) ? `my:${phrase(thing)}` : null),
  ],
  [
    new RegExp(
      `${mine}([\\p{L} ]{2,30}?)(?:'s name${becomes}|\\s+(?:is|are)\\s+(?:called|named)\\s+)\\S`,
      "iu",
    ),
    (thing = "") => `my:${phrase(thing)}:name`,
  ],
  [
    /^我(?:的)?(名字|地址|邮箱|电话|手机号|手机|生日|工作|公司|老板|城市|家|时区|语言|尺码|体重|身高|车|医生|目标|昵称)(?:现在|已经)?(?:是|叫|改成|换成|改为|变成)了?\S+(?<!的)$/u,
    (thing = "") => `my:${phrase(thing)}`,
  ],
  [/^我最喜欢的(.{1,12}?)(?:现在)?是\S/u, (thing = "") => `my:favorite ${phrase(thing)}`],
];

/** Which of the two wins is the fact, not the subject. */
function pair(first: string, second: string): string | null {
  const [one = "", two = ""] = [phrase(first), phrase(second)].toSorted();
  return one === "" || two === "" ? null : `prefer:${one} ${two}`;
}

function phrase(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .replaceAll(/(?:^|\s)(?:a|an|the|my|some|now|any more|anymore)(?=\s|$)/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
