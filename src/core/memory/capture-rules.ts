import type { CaptureCategory } from "./capture.ts";

/**
 * The sentences that tell something lasting about who writes them, in English, Chinese, Japanese and
 * Korean. Each begins at the beginning of the sentence, so that reported speech is none. In order: the
 * first that matches names the category.
 */
export interface CaptureRule {
  readonly category: CaptureCategory;
  readonly pattern: RegExp;
}

/** What people put in front, and what makes it no statement. */
const lead = String.raw`^(?:(?:please|and|so|but|oh|ok|okay|well|btw|by the way|also|actually|fyi|hey|hi|remember(?: that)?|note(?: that)?|keep in mind(?: that)?|don['’]?t forget(?: that)?)[,:]? +)*`;
const zh = "^(?:请|另外|还有|對了|对了|其实|記住|记住|记下|别忘了|帮我记住?|请记住)?[，,：: ]*";

const contactWord = String.raw`(?:e-?mail(?: address)?|phone(?: number)?|mobile|cell|number|address|birthday|handle)`;

export const captureRules: readonly CaptureRule[] = [
  rule(
    "entity",
    `${lead}(?:my|our|[\\p{Lu}][\\p{L}'’-]*(?: [\\p{Lu}][\\p{L}'’-]*)?(?:['’]s)?)(?: [\\p{L}'’-]+){0,3} ${contactWord} (?:is|was|are)\\b`,
  ),
  rule(
    "entity",
    `${zh}.{0,12}(?:电话|手机|邮箱|地址|生日|電話|手機|郵箱|号码)(?:号码?)?(?:是|：|:)`,
  ),
  rule("entity", "^.{0,16}(?:電話番号|メール|メールアドレス|住所|誕生日)は"),
  rule("entity", "^.{0,16}(?:전화번호|이메일|주소|생일)(?:은|는|이|가)"),
  rule(
    "decision",
    `${lead}(?:i|we)(?:['’]ve| have)? (?:(?:just|finally|already|now) )?(?:decided|agreed|settled on|chose|picked|opted)\\b`,
  ),
  rule(
    "decision",
    `${lead}(?:i|we)(?:['’]ll| will|['’]re going to| are going to) (?:go with|stick with|use) `,
  ),
  rule(
    "decision",
    `${lead}(?:the decision is|decision:|we are going with|we['’]re going with|let['’]s go with) `,
  ),
  rule("decision", `${zh}(?:我们?|咱们)(?:已经|最后|最终)?(?:决定|選定|选定|约定|商定|说好)`),
  rule("decision", "^.{0,30}(?:ことにした|ことにしました|に決めた|に決めました|で決まり)"),
  rule("decision", "^.{0,30}(?:기로 (?:했|결정)|로 결정했)"),
  rule(
    "preference",
    `${lead}i(?: (?:really|much|also|generally|usually|always|absolutely|still))* (?:like|love|prefer|hate|dislike|adore|enjoy|favou?r|can['’]?t stand|cannot stand|don['’]?t (?:like|eat|drink|want)|do not (?:like|eat|drink|want)|never (?:eat|drink|want|use)|always (?:want|use|eat|drink))\\b(?! to (?:know|ask|thank|see|hear) | your | this\\b| that\\b| it\\b| the idea)`,
  ),
  rule("preference", `${lead}(?:i['’]d|i would) rather (?!not say|know)`),
  rule("preference", `${lead}my favou?rite [\\p{L} ]{2,40} (?:is|are)\\b`),
  rule(
    "preference",
    `${lead}(?:please )?(?:call me|address me as|always answer|always reply|never answer|never use|always use|from now on|in (?:the )?future,? (?:please )?) ?\\S`,
  ),
  rule(
    "preference",
    `${zh}我(?:(?:个人|真的|一直|平时|更|最|很|比较|非常|特别|还是|也|都|不太|不)*)(?:喜欢|喜歡|讨厌|討厭|偏好|爱吃|愛吃|爱喝|不吃|不喝|受不了|习惯用|習慣)`,
  ),
  rule("preference", `${zh}(?:以后|今后|從現在起|从现在起|以後)(?:请|都|就|不要|别)?.{2,}`),
  rule("preference", `${zh}(?:叫我|称呼我|請叫我)\\S`),
  rule(
    "preference",
    "^(?!.*(?:かな|らしい|そう))(?:私|僕|俺|わたし)?(?:は|、)?.{1,30}(?:が好き|が嫌い|が苦手|の方が好き)",
  ),
  rule(
    "preference",
    "^(?:나는|저는|난|전)?.{1,30}(?:좋아해|좋아합니다|좋아해요|싫어해|싫어합니다|싫어해요|선호해|선호합니다)",
  ),
  rule(
    "fact",
    `${lead}(?:my|our) (?!(?:question|problem|point|guess|idea|bad|fault|mistake|apologies|issue|request|plan|concern|thought|answer|favou?rite|understanding|impression|turn)s?\\b)[\\p{L}'’-]+(?: [\\p{L}'’-]+){0,3} (?:is|are|was|were|lives?|works?|likes?|loves?|hates?|prefers?|has|have|gets?|starts?|arrives?|moved)\\b`,
  ),
  rule(
    "fact",
    `${lead}i(?:['’]m| am) (?:(?:a|an) (?!(?:bit|little|lot|few|idiot)\\b)|allergic\\b|from\\b|born\\b|vegan\\b|vegetarian\\b|lactose|diabetic\\b|married\\b|divorced\\b|single\\b|retired\\b|left-handed\\b|\\d{1,3} years old\\b|called\\b)`,
  ),
  rule(
    "fact",
    `${lead}i (?:live|work|study|was born|grew up|moved|went to school) (?:in|at|as|for|to|near|with|from)\\b`,
  ),
  rule(
    "fact",
    `${lead}i (?:have|own|drive|play|speak|teach|run) (?:a |an |two |three |four |my own |the )?(?!(?:a )?(?:question|idea|problem|doubt|feeling|look|to|been|no idea|issue|request|hunch|point)\\b)\\p{L}`,
  ),
  rule("fact", `${lead}(?:we|i) (?:got|get) married\\b|${lead}my name is\\b`),
  rule(
    "fact",
    `${zh}我(?:叫|住在|住|来自|來自|在.{1,20}(?:工作|上班|上学|读书)|对.{1,20}过敏|對.{1,20}過敏|是(?:一名|一个|个|一位|做)|今年\\d+|有(?:一|两|二|三|\\d)[个只条辆位台部套])`,
  ),
  rule(
    "fact",
    `${zh}(?:我|我们)(?:家)?的?[\\p{L}]{1,10}(?:叫|是|在|住在|姓|属|喜欢)(?!不是|什么|谁|哪)\\S`,
  ),
  rule(
    "fact",
    "^(?:私|僕|俺|わたし)(?:の[\\p{L}ー]{1,12})?は.{1,60}(?:です|だ|ます|住んで|働いて|アレルギー)",
  ),
  rule("fact", "^(?:제|내|나의|저의) [\\p{L} ]{1,16}(?:은|는|이|가) .{1,60}"),
  rule(
    "fact",
    "^(?:나는|저는|난|전) .{1,60}(?:살아|삽니다|살아요|일해|일합니다|입니다|이에요|예요|이야|야|알레르기)",
  ),
];

function rule(category: CaptureCategory, source: string): CaptureRule {
  // Names are told by their capitals: the rules that look for them must not fold case.
  const flags = source.includes("\\p{Lu}") ? "u" : "iu";
  return { category, pattern: new RegExp(source, flags) };
}
