/**
 * Marks by which somebody else's words begin that have no end of their own: headers of mails, lines that
 * pass something on, lines of chats. Which words only announce a quotation is in introductions.ts.
 * For a message with its lines and for the same on one line. Linear in the length of the text.
 */

/** Where from everything may be somebody else's; -1 if nothing of the kind is there. */
export function firstForeignMark(text: string): number {
  const found = anywhere.map((pattern) => text.search(pattern)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Words that head a mail in whatever line they stand. */
const header =
  "from|to|b?cc|reply-to|subject|date|sent|received|fwd?|von|an|betreff|gesendet|datum|wg|objet|envoyé|à|para|asunto|enviado|assunto|oggetto|inviato|onderwerp|verzonden|от|кому|тема|temat|ämne|emne|kimden|konu|发件人|收件人|主题|发送时间|日期|寄件者|寄件人|收件者|主旨|差出人|件名|宛先|送信日時|보낸 ?사람|받는 ?사람|제목";
/** Such as also stand inside of sentences, and are told only by their capitals or by what comes behind. */
const headerInLine =
  "From|Subject|Fwd?|FW|WG|Von|Betreff|Objet|Asunto|Assunto|Oggetto|Onderwerp|От|Тема|Temat|Ämne|Emne|Kimden|Konu|发件人|主题|差出人|件名|寄件者|主旨|보낸 ?사람|제목";
const sender = "De|Da|Van|Od|Från|Fra";

const date = String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`;
const time = String.raw`\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\b\.?)?`;
const bracketed = String.raw`[[(](?:${date},? )?${time}[\])]`;
const dated = String.raw`${date},? ${time}`;
const someone = String.raw`(?:<[^<>\n]{1,30}>|@?\p{L}[\p{L}\p{N}_.'’-]{0,30}(?: \p{Lu}[\p{L}'’-]{0,30}){0,2} ?[:：])`;
const name = String.raw`\p{Lu}[\p{L}\p{N}'’-]{0,30}\.?(?: \p{Lu}[\p{L}'’-]{0,30}){0,2}`;

const passedOn = String.raw`(?:begin forwarded message|forwarded message|forwarded from|original message|ursprüngliche nachricht|weitergeleitete[nr]? nachricht|weitergeleitet von|message d['’]origine|message transféré|transféré de|mensaje (?:original|reenviado)|reenviado de|messaggio (?:originale|inoltrato)|inoltrato da|mensagem (?:original|encaminhada)|doorgestuurd bericht|пересылаемое сообщение|переадресованное сообщение|переслано от)`;

/** Labels of an owner's own, where others have a name. */
const label = String.raw`(?:Remember|Please|Note|Update|FYI|BTW|PS|OK|Okay|Decision|Reminder|Important|Correction|Also|Well|Sorry|Info|Preference|Fact|Yes|No|Wait|Context|Background|About|Me|Home|Work|Job|Diet|Food|Drink|Health|Allerg(?:y|ies)|Family|Birthday|Address|Contact|Location|Name|Age|Hobby|Hobbies|Music|Sports?|Pets?|Goals?|News|Summary|Today|Tomorrow|Now|So|From|On|In|At|By|For|As|Since|Until|After|Before|Every|Hi|Hey|Hello|Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?)`;
const addresses =
  "[Hh]i|[Hh]ey|[Hh]ello|[Dd]ear|[Hh]allo|[Bb]onjour|[Hh]ola|[Cc]iao|[Ss]alut|[Oo]i|[Oo]lá";
const firstPerson = "[Ii]|[Ii]['’][Mm]|[Ww]e|[Mm]y|[Oo]ur";
const speaks = String.raw`(?:(?!${label}\b)${name}|@?\p{Ll}[\p{L}\p{N}_]{1,20}(?=: (?:${addresses})))[*_]{0,2}: (?:${addresses}|${firstPerson})\b`;
const speaksHan = String.raw`(?!(?:我|本人|另外|补充|備註|备注|注意|更正|纠正|决定|決定|地址|住址|电话|電話|生日|爱好|喜好|姓名|职业|工作|家庭|记住|記住|请|請|还有|還有|对了|對了|其实|重要|提醒|总之)[^:：]{0,4})[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}]{2,4} ?[:：] ?(?:你好|您好|嗨|大家好|我|咱|こんにちは|おはよう|こんばんは|お疲れ|私|僕|俺|안녕|저는|나는|제 |내 )`;

const anywhere: readonly RegExp[] = [
  // Fences, elements of pages and of boards, cards.
  /```|~~~|'''|"""|<\/?(?:blockquote|q|p|div|span|pre|cite|table|html|body)\b|\[quote\b|BEGIN:V/iu,
  // What marks a passed-on mail.
  /^[ \t]*[-–—_=]{2,}[^\n]{0,40}\p{L}[^\n]{0,40}[-–—_=]{2,}[ \t]*$/mu,
  /[-–—_=*]{4,} ?\p{L}[^\n_=*]{0,40}[-–—_=*]{4,}|[-–—_=*]{10}/u,
  new RegExp(String.raw`(?<!\p{L})${passedOn}(?!\p{L})`, "iu"),
  // Headers of a mail at the beginning of a line; between sentences where a transcript has no lines.
  new RegExp(`^[ \\t*_>]*(?:${header})[*_]{0,2}[ \\t]*[:：]`, "imu"),
  new RegExp(`(?<=[\\s,;([])(?:${headerInLine})[*_]{0,2} ?[:：]`, "u"),
  new RegExp(
    `(?:^|(?<=\\s))(?:${sender})[*_]{0,2} ?: [^:]{1,80}\\s(?:À|A|Para|Aan|Do|Till|Til|${headerInLine})[*_]{0,2} ?:`,
    "u",
  ),
  // A mail program's or a person's introduction with an address in it.
  /<[^<>\s@]{1,80}@[^<>\s]{1,80}>[^\n:：]{0,20}[:：]/u,
  // The lines of a chat: when and who, or who and when.
  new RegExp(`^[ \\t*_]*(?:${bracketed}|${dated}|${time})[ ,–—-]+${someone}`, "mu"),
  new RegExp(`(?<=\\s)(?:${bracketed}|${dated})[ ,–—-]+${someone}`, "u"),
  new RegExp(
    `(?:^[ \\t*_]*|(?<=[.!?\\n] ?))${name},? (?:[—–-] )?(?:${bracketed}|\\[${dated}\\]|(?:Today|Yesterday|Heute|Gestern) (?:at |um )?${time})`,
    "mu",
  ),
  new RegExp(`^[ \\t*_]*${name},? +${time}(?::|[ \\t]*\\n)(?=[^\\n]*\\S)`, "mu"),
  /^[ \t]*<[^<>\s/][^<>\n]{0,30}> /mu,
  new RegExp(`(?:^[ \\t*_]*|(?<=[.!?…] ))${speaks}`, "mu"),
  new RegExp(`(?:^[ \\t*_]*|(?<=[。！？]))${speaksHan}`, "mu"),
  /^[ \t*_]*(?:system|assistant|user|human|ai|pagurus) ?[:：]/imu,
];

/** A quoted line that has lost its beginning; not "5 > 3". */
const lineMark = /(?<=^|\s)(?:>|&gt;|[|＞›┃│▌▍▎▏┆❯])(?!\s*\d)\s*\S/u;

export function markOfALine(text: string): number {
  const found = [text.search(lineMark), angleMark(text)].filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** A » that quotes a line, and is no half of « Ada » or »Ada«. */
function angleMark(text: string): number {
  const last = text.lastIndexOf("«");
  let open = 0;
  for (const { 0: sign, index } of text.matchAll(/[«»]/g)) {
    if (sign === "«") open += 1;
    else if (open > 0) open -= 1;
    else if (index === 0 || /\s/.test(text.charAt(index - 1))) {
      if (last < index || /\s/.test(text.charAt(index + 1))) return index;
    }
  }
  return -1;
}
