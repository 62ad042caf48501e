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
const someone = String.raw`(?:<[^<>\n]{1,30}>|@?[\p{Lu}\p{Lo}][\p{L}\p{N}_.'’-]{0,30}(?: \p{Lu}[\p{L}'’-]{0,30}){0,2} ?[:：])`;
const name = String.raw`\p{Lu}[\p{L}\p{N}'’-]{0,30}\.?(?: \p{Lu}[\p{L}'’-]{0,30}){0,2}`;

const passedOn = String.raw`(?:begin forwarded message|forwarded message|forwarded from|original message|ursprüngliche nachricht|weitergeleitete[nr]? nachricht|weitergeleitet von|message d['’]origine|message transféré|transféré de|mensaje (?:original|reenviado)|reenviado de|messaggio (?:originale|inoltrato)|inoltrato da|mensagem (?:original|encaminhada)|doorgestuurd bericht|пересылаемое сообщение|переадресованное сообщение|переслано от)`;

/** Labels of an owner's own, where others have a name. Who may be the name of a contact is none (Mum, Boss). */
const label = [
  "Remember|Please|Note|Update|FYI|B[Tt][Ww]|P\\.?S|O[Kk]|Okay|Decision|Reminder|Important|Correction|Also|Well|Sorry|Thanks",
  "Info|Preferences?|Facts?|Yes|No|Wait|Context|Background|About|Me|News|Summary|Status|Situation|Story|Point|Reason",
  "Results?|Conclusion|Warning|Disclaimer|Rule|Plans?|Ideas?|Problems?|Issue|Bug|Questions?|Answer|Tasks?|Edit|Fix|Goals?",
  "Dream|Wish|First(?:ly)?|Second(?:ly)?|Third|Finally|Last|Next|Today|Tomorrow|Now|So|New|Good|Bad|Fun|Quick",
  "Home|House|Flat|Apartment|Work|Job|Office|Team|Company|Career|Skills?|Education|School|University|Study|Studies",
  "Diet|Food|Drink|Breakfast|Lunch|Dinner|Coffee|Tea|Health|Doctor|Dentist|Medication|Allerg(?:y|ies)|Height|Weight|Size",
  "Family|Kids?|Children|Pets?|Dogs?|Cats?|Cars?|Bike|Boat|Birthday|Address|Contact|Location|Phone|Name|Age|Nationality",
  "Religion|Languages?|Hobby|Hobbies|Interests?|Likes?|Dislikes?|Favou?rites?|Music|Sports?|Books?|Movies?|Films?|Shows?|Games?",
  "Money|Budget|Bank|Insurance|Schedule|Routine|Morning|Evening|Night|Weekends?|Holidays?|Vacation|Travel|Trip|Flight|Hotel",
  "From|On|In|At|By|For|As|Since|Until|After|Before|Every|Hi|Hey|Hello",
  "Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?",
].join("|");
const addresses =
  "[Hh]i|[Hh]ey|[Hh]ello|[Dd]ear|[Hh]allo|[Bb]onjour|[Hh]ola|[Cc]iao|[Ss]alut|[Oo]i|[Oo]lá";
const firstPerson = "[Ii]|[Ii]['’][Mm]|[Ww]e|[Mm]y|[Oo]ur";
const speaks = String.raw`(?:(?!(?:${label})\b)${name}|@?\p{Ll}[\p{L}\p{N}_]{1,20}(?=: (?:${addresses})))[*_]{0,2}: (?:${addresses}|${firstPerson})\b`;
/** Whom Chinese, Japanese and Korean chats name: by surname, title or form of address. */
const surnames =
  "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董袁潘蒋蔣蔡杜叶葉苏蘇魏吕呂丁沈姚卢盧姜崔钟谭陆陸汪范廖贾邹熊邱尹薛闫雷侯陶黎贺顾郝龚邵钱覃戴莫汤小老阿";
const namesHan = String.raw`(?:[${surnames}]\p{Script=Han}{1,2}|经理|同事|客服|对方|房东|客户|[\p{Script=Han}\p{Script=Katakana}ー]{1,6}(?:さん|くん|様|部長|社長|先生))`;
const saysHan = "你好|您好|嗨|大家好|我|咱|こんにちは|おはよう|こんばんは|お疲れ|私|僕|俺";
const greetsHan = "你好|您好|嗨|大家好|こんにちは|おはよう|こんばんは|お疲れ";
const labelHangul =
  "이름|직업|주소|취미|나이|가족|생일|전화|메모|참고|정보|음식|알레르기|계획|회사|학교|목표|상황|질문|추가|수정|결정";
const speaksHan = String.raw`(?:${namesHan} ?[:：] ?(?:${saysHan})|[\p{Script=Han}\p{Script=Katakana}ー]{2,6} ?[:：] ?(?:${greetsHan})|(?!${labelHangul})\p{Script=Hangul}{2,4} ?[:：] ?(?:안녕|저는|나는|제 |내 ))`;

const anywhere: readonly RegExp[] = [
  // Fences, elements of pages and of boards, cards.
  /```|~~~|'''|"""|<\/?(?:blockquote|q|p|div|span|pre|cite|table|html|body)\b|\[quote\b|BEGIN:V/iu,
  // What marks a passed-on mail. Both runs of dashes are whole: there is one way only to read a long one.
  /^[ \t]*[-–—_=]{2,}(?![-–—_=])[^\n]{0,40}\p{L}[^\n]{0,40}(?<![-–—_=])[-–—_=]{2,}[ \t]*$/mu,
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
