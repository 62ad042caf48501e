/**
 * The forms of talk of the moment (passing.ts), in English, German and Chinese, with the commonest of
 * Japanese and Korean. Each list is about what a sentence does, not about what it mentions; in doubt a
 * form is left out, for what gets past them still has to be looked for before it is kept.
 */
function words(source: string, flags = "iu"): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, flags);
}

function opening(source: string): RegExp {
  return new RegExp(`^(?:${source})(?![\\p{L}\\p{N}])`, "iu");
}

/** How somebody is addressed before the sentence itself. */
export const address =
  /^(?:(?:hi|hey|hello|good (?:morning|evening|afternoon)|thanks(?: a lot| so much| again)?|thank you(?: so much| very much)?|ok(?:ay)?|oh|well|so|and|but|by the way|btw|hallo|hi du|na|guten (?:morgen|abend|tag)|danke(?: dir| schön)?|also|ach|übrigens)(?: (?:there|all|everyone|again|pagurus))?[\s]*[,!.:;–-]+\s*|(?:你好|早上好|早|嗨|谢谢(?:你|您)?|好的|对了|哈哈+)[,，!！.。~～\s]+|(?:and|so|but|oh|well|okay?|also|ach|na) +)+/iu;

export const manners: readonly RegExp[] = [
  opening(
    "thanks|thank you|thx|cheers|many thanks|you(?:'re| are) welcome|no (?:problem|worries)|never mind|sorry|my (?:bad|apologies)|good (?:night|morning|evening|afternoon|luck)|hello|hi|hey|bye|goodbye|see you|talk to you|catch you|have (?:a|an) (?:nice|good|great|lovely|safe|wonderful)|sleep well|sweet dreams|enjoy your|happy (?:birthday|new year|easter|holidays|friday|monday)|merry christmas|congrat\\w*|well done|great job|good job|nice (?:one|to|work)|sounds (?:good|great|fine|like)|got it|will do|glad (?:to|you|that)|i(?:'m| am) (?:glad|happy) (?:to|you|that)|let me know|happy to help|of course|sure|(?:ha){2,}\\w*|(?:he){2,}|lol|lmao|rofl|ugh|phew|argh|yikes|brb|gtg|gotta (?:run|go)|boah|uff|puh|knock,? knock|just kidding|only joking|guess what|fun fact",
  ),
  opening(
    "danke|vielen dank|bitte schön|gern geschehen|guten (?:morgen|abend|tag)|gute nacht|schönen? (?:tag|abend|feierabend|sonntag|gruß|wochenende)|schönes (?:wochenende|leben)|bis (?:morgen|später|bald|dann|nachher|gleich)|mach'?s gut|tschüss?|servus|moin|mahlzeit|viel (?:glück|spaß|erfolg)|alles (?:klar|gut|gute)|kein problem|macht nichts|tut mir leid|entschuldig\\p{L}*|na (?:ja|gut|dann|klar)|ach (?:so|was|ja|komm)|mal (?:sehen|schauen)|was soll'?s|wie geht'?s",
  ),
  /^(?:谢谢|多谢|感谢|不客气|没关系|没事|对不起|不好意思|抱歉|早上好|早安|晚安|晚上好|下午好|你好|您好|再见|拜拜|回头见|明天见|辛苦了|周末愉快|生日快乐|新年快乐|节日快乐|恭喜|加油|吃了吗|在吗|哈哈|呵呵|嘻嘻|嘿嘿|笑死|好的|好吧|行吧|没问题|哎呀?|唉)/u,
  /^(?:ありがとう|おはよう|こんにちは|こんばんは|おやすみ|すみません|ごめん|お疲れ|了解|안녕|고마워|고맙|감사합니다|미안|잘 ?자|수고)/u,
];

export const questions: readonly RegExp[] = [
  /[?？]["”')\s]*$/u,
  opening(
    "(?:what|when|where|who|whose|why|how|which)(?:'s|'re| (?:is|are|was|were|do|does|did|can|could|should|shall|will|would|has|have|about|many|much|long|far|old|often|tall|come|time|kind|day|one|on earth))|who \\p{L}+s|(?:do|does|did|is|are|was|were|can|could|will|would|should|shall|have|has|isn't|aren't|don't|doesn't|didn't|won't|can't) (?:you|i|we|he|she|it|they|there|this|that|the|my|your|our|any|anyone|anybody|somebody)|any (?:idea|news|chance)|what if|i wonder|do you (?:know|think)",
  ),
  opening(
    "(?:was|wann|wo|wer|wen|wem|warum|wieso|weshalb|welche[rsnm]?|wohin|woher|womit|wie)(?:'s| (?:ist|sind|war|waren|wird|werden|hat|haben|kann|können|soll|sollte|muss|macht|machst|geht|gibt|heißt|viel|viele|lange|oft|spät|weit|alt|komme?|bekomme?|wäre|passiert|meinst|hältst|denkst|läuft))|(?:kannst|könntest|würdest|hast|bist|weißt|magst|willst|gibt|ist|sind|soll|darf|kann|hat|wird|wirst|war|kommt|stimmt) (?:du|es|ich|man|er|sie|wir|das|der|die|dein\\p{L}*|mein\\p{L}*)",
  ),
  /(?:吗|嗎|呢|么|吧)[。.!！~～]*$|怎么(?!也|都)|怎样|怎麼|为什么|為什麼|为啥|什么时候|什么(?!也|都)|啥(?!也|都)|哪(?:里|儿|个|些|天)(?!也|都)|几点|几号|多少|多久|多远|是不是|有没有|能不能|可不可以|要不要|会不会|好不好|对不对/u,
  /(?:です|ます|でした|ました|だろう|の)か[。.]*$|どう(?:やって|して|です)|なぜ|いつ(?!も)|どこ(?!でも)|(?:까|나요|니)[.?]*$|왜|어디|언제(?!나)/u,
];

const please = "(?:please |pls |can you |could you |would you |i need you to |i want you to )*";
export const requests: readonly RegExp[] = [
  opening(
    `${please}(?:translate|summari[sz]e|sum up|rewrite|rephrase|proofread|draft|show me|tell me|give me|send me|find me|get me|make me|help me|remind me|read (?:me|this|the|it)|look (?:it |this |that )?up|search (?:for|the)|google|explain|convert|calculate|compute|compare|list|play|pause|set (?:a|an|the) (?:timer|alarm|reminder)|wake me|turn (?:on|off|up|down)|switch (?:on|off)|open (?:the|my|this)|close (?:the|my|this)|schedule|write (?:a|an|me|the|this|back)|check (?:the|my|if|whether|on|this|that|again)|try (?:again|it|that|this)|do (?:it|that|this)|continue|go on|stop (?:it|that|this)|let's (?:see|try|go|do))`,
  ),
  opening(
    "(?:bitte |mal |kannst du |könntest du )*(?:übersetze?|schreib(?:e)? (?:mir|eine?n?|das|die|den)|zeige? mir|sage? mir|erklär(?:e)?(?: mir)?|suche?(?: mir| nach)|finde(?: mir)?|mach(?:e)? mir|fasse?|erinner(?:e)? mich|stelle? (?:einen|den|mir)|gib mir|hilf mir|lies|rechne|vergleiche?|schau(?: mal)?(?: nach)?|such mal|weck(?:e)? mich|prüfe?|öffne|spiele?)",
  ),
  /^(?:请|麻烦|拜托)?(?:你|您)?(?:帮我|帮忙|给我|替我|再)?(?:一下)?(?:翻译|写(?:一|个|封|篇)|查(?:一|下|查)|找(?:一|下|个|找)|看(?:一下|看|下)|算(?:一|下|算)|总结|解释|设(?:置|个|定)|定(?:个|一)|讲(?:个|一|讲)|说说|推荐|订(?:个|一|张)|提醒我|叫我起床|打开|关掉|播放|发给我|告诉我|列(?:出|个))/u,
];

/** What holds again and again. */
export const habit = new RegExp(
  [
    words(
      "always|never|every|each|usually|generally|normally|whenever|by default|from now on|in (?:the )?future|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|weekdays|daily|weekly|monthly|annually|(?:once|twice|times) (?:a|per)|any ?more|no longer|all (?:my|our)|only ever",
    ).source,
    words(
      "immer|nie|niemals|jede[nrsm]?|meistens|normalerweise|grundsätzlich|ab jetzt|künftig|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|täglich|wöchentlich|nicht mehr|toujours|jamais|chaque|siempre|nunca|cada|sempre|mai",
    ).source,
    "每|总是|總是|一直|从不|从来|通常|平时|以后|今后|永远|一向|再也不|いつも|毎|必ず|今後|항상|매일|매주|앞으로",
  ].join("|"),
  "iu",
);

/** What changes more than a day, whatever day it is said of. */
export const turningPoint = new RegExp(
  [
    words(
      "decided|moved (?:to|in|out|house)|married|engaged|divorced|separated|born|died|passed away|started (?:working|at|as|my|a new)|quit|resigned|hired|retired|graduated|signed|agreed|switched|joined|adopted|diagnosed|pregnant|allerg\\w*|diabet\\w*|vegan|vegetarian|bought (?:a|an|our|the|my) (?:\\p{L}+ )?(?:house|flat|apartment|car|boat|van|bike|bicycle|cabin|dog|cat|horse)|birthdays?|anniversary|(?:from|as of|since|starting) (?:today|tomorrow|(?:19|20)\\d\\d)",
    ).source,
    words(
      "entschieden|beschlossen|umgezogen|gezogen|geheiratet|verlobt|geschieden|gekündigt|geboren|gestorben|schwanger|allergi\\p{L}*|geburtstag|hochzeitstag|(?:ab|seit) (?:heute|morgen|(?:19|20)\\d\\d)",
    ).source,
    "决定|搬到|搬家|结婚|离婚|辞职|入职|出生|去世|怀孕|过敏|生日|从今天|从明天|今天起|明天起|买了(?:房|车|辆)|アレルギー|誕生日|알레르기|생일",
  ].join("|"),
  "iu",
);

const todo =
  "(?:(?:i|we)(?:'ve)? (?:still |also |really |just )*(?:need to|have to|must|should|ought to|gotta|got to|had better|will|am going to|are going to)|(?:i|we)'ll|i'm going to|we're going to|need to|have to|must|gotta|going to|off to|time to|to ?do:?)(?: (?:go|and|quickly|also|still|then|just|out))*";
const plainErrand =
  "buy|call|ring|phone|pick (?:\\p{L}+ ){0,3}?up|fetch|collect|drop (?:\\p{L}+ ){0,3}?off|take (?:\\p{L}+ ){0,3}?(?:out|back|to)|hand in|swing by|stop by|pay|repair|submit|renew|cancel|feed|hoover|vacuum|bring";
/** May as well begin a name or a thing ("book club", "post office"). */
const doubtfulErrand =
  "send|mail|post|book|fix|clean|order|print|water|wash|get|grab|iron|cook|answer|reply|finish|sign|charge|return|put|write|check";
const thing = "(?: (?:the|a|an|my|our|some|his|her|their|this|these|those|new|more|\\d+))";

export const errands: readonly RegExp[] = [
  opening(
    "reminder|to ?do|note to self|(?:don't|do not) (?:let me )?forget|remember (?:to|the|my|our)|remind",
  ),
  opening(
    `${todo} (?:${plainErrand}|${doubtfulErrand})|(?:${plainErrand})${thing}|(?:${doubtfulErrand})${thing}|buy|pick up`,
  ),
  opening("nicht vergessen|vergiss nicht|erinner(?:e)? mich|noch schnell"),
  words(
    "(?:muss|müssen|soll|sollte|sollten|will|wollte|wollen|darf|werde) .*?(?:abholen|abgeben|anrufen|kaufen|einkaufen|besorgen|überweisen|bezahlen|zurückgeben|vorbeibringen|holen|bringen|wegbringen|putzen|buchen|bestellen|schicken|reparieren|absagen|verlängern)",
  ),
  /^(?:记得|别忘|别忘了|提醒|待办)|^我?(?:们)?(?:还|也|得|要|该|必须|需要|等下|下班|顺便|先)+(?:去)?(?:买|取|拿|交|接|送|寄|付|还|打电话|预约|缴|洗|修|倒垃圾|超市|银行|邮局)/u,
];

const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const monat =
  "(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)";
const tag = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)";
export const times: readonly RegExp[] = [
  words(
    `(?:on|next|this|by|until|till|for|before) ${weekday}|${weekday} (?:morning|noon|afternoon|evening|night|at)|at (?:\\d{1,2}(?:[:.]\\d\\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|half past \\p{L}+)|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|${month} (?:the )?\\d{1,2}(?:st|nd|rd|th)?|next (?:week|month)|at the weekend`,
  ),
  words(
    `(?:am|bis|nächsten|kommenden|diesen|bis zum) ${tag}|um \\d{1,2}(?:[:.]\\d\\d)?(?: uhr)?|(?:am|bis|bis zum) \\d{1,2}\\. ?(?:${monat}|\\d{1,2}\\.?)|nächste woche|am wochenende|morgen`,
  ),
  /(?:周|星期|礼拜)[一二三四五六日天末]|\d{1,2}月\d{1,2}[日号]|[一二三四五六七八九十\d]{1,3}[号点]|下周|下个?月|月曜|火曜|水曜|木曜|金曜|土曜|日曜|[월화수목금토일]요일/u,
];

export const occasions: readonly RegExp[] = [
  words(
    "appointment|meeting|dinner|lunch|breakfast|flight|train|party|exam|delivery|delivered|parcel|package|concert|interview|call|dentist|hairdresser|haircut|date|trip|match|game|deadline|visit|visits|rehearsal|lesson|workshop|check-?up|inspection|due|arrives?|arriving|coming|comes over|leaves|leaving|pick(?:ing)? up|picked up|plumber|electrician|vet",
  ),
  words(
    "\\p{L}*termin|treffen|besprechung|zahnarzt|arzt|friseur|flug|zug|paket|prüfung|abgabe|elternabend|werkstatt|besuch|handwerker|klempner|kommt|kommen|abholen|verabredet|essen|feier|konzert|probe|tüv",
  ),
  /取|拿|交|买|去|开会|会议|约|见面|接|送|寄|付|还书|体检|面试|考试|快递|牙医|看病|医院|航班|飞机|火车|聚餐|聚会|吃饭|電話|会う|予約|회의|약속/u,
];

const very =
  "(?:a |so |really |very |quite |pretty |rather |still |just |bit |little |too |all |kind of |feeling |totally |absolutely |already |again |being |only |not )*";
const mood =
  "(?:tired|exhausted|sleepy|bored|sad|happy|hungry|thirsty|stressed|angry|annoyed|upset|sick|ill|excited|nervous|anxious|lonely|grumpy|cranky|fine|okay|good|great|well|better|down|low|cold|hot|freezing|busy|late|relaxed|proud|frustrated|worn out|fed up|in a (?:\\p{L}+ )?mood|overwhelmed|hung ?over|full|lazy|restless|cheerful|ready|done|back|home|here|on my way|confused|lost|awake|knackered|melancholic|optimistic|motivated|unmotivated)";
/** "I am good at chess", "I am home schooled" are no moods. */
const only =
  "(?=\\s*$|\\s*[,.;:!–-]| (?:and|but|or|today|again|now|because|so|after|from|since|before|this|when|as|right|already|at the moment)(?![\\p{L}]))";
const machine =
  "(?:build|tests?|test suite|pipeline|ci|deploy(?:ment)?|job|server|backup|upload|download|update|install(?:ation)?|sync|release|linter?|compiler?|compilation|migration|printer|wi-?fi|internet|vpn|website|site|app|cluster|database|queue|container|branch|merge|lift|elevator|heating|machine)";
const condition =
  "(?:green|red|broken|fail(?:ed|ing|s)?|pass(?:ed|ing|es)?|done|finished|running|down|up|back|slow|stuck|hanging|hangs|crash(?:ed|es|ing)?|working|works|out of order|online|offline|completed?|ready|flaky|timed out)";
const weather =
  "(?:weather|rain(?:s|ing|ed|y)?|snow(?:s|ing|ed|y)?|sunny|sunshine|cloudy|windy|foggy|stormy|drizzl\\p{L}*|hail\\p{L}*|thunder\\p{L}*|humid|muggy|chilly|freezing|degrees|heat ?wave|hot|cold|grey|warm)";

export const states: readonly RegExp[] = [
  opening(
    `(?:i'm|i am|i feel|i felt|i've been|i have been|we're|we are|feeling|am) ${very}${mood}${only}`,
  ),
  opening(`(?:what|such) an?|so much|too much|my (?:mood|head|back) (?:is|hurts|aches)`),
  opening(
    "(?:ich bin|bin|ich fühle? mich|fühle? mich|mir ist|mir geht(?:'s| es)|ich hab(?:e)?) (?:(?:so|heute|total|echt|richtig|sehr|ein bisschen|ein wenig|etwas|gerade|schon|wieder|einfach|ziemlich|völlig|immer noch|noch) )*(?:müde|kaputt|fertig|erschöpft|platt|langweilig|kalt|warm|heiß|schlecht|gut|prima|traurig|froh|glücklich|hungrig|hunger|durst|kopfschmerzen|gestresst|genervt|sauer|krank|schlapp|gelaunt|gute laune|schlechte laune|keine lust|schlecht gelaunt|gut gelaunt|super drauf|spät dran|unterwegs|zu hause|daheim)",
  ),
  /^(?:我|今天|现在|感觉|觉得|有点|有些|好|很|真|太|又|快|都|最近|实在|特别|非常|的|心里)+(?:累|困|饿|烦|开心|高兴|难过|无聊|郁闷|不舒服|伤心|生气|冷|热|忙|渴|晕|崩溃|头疼|困死|累死|饿死|心情|不想动|没精神)/u,
  /^心情|^(?:好|真|太)\p{L}{1,6}[啊呀了哦哟]*[。！!~]*$/u,
  opening(
    `(?:it|it's|it is|it was|it'll|it has|the (?:weather|rain|sun|snow|wind|fog|sky|storm)|looks like|still|again|another|lovely|nice|awful|terrible|beautiful|grey|horrible|more)(?: .{0,40})? ${weather}(?! (?:in|through|into|onto)(?![\\p{L}]))|the (?:weather|rain|sun|snow|wind|fog|sky|storm)|${weather} (?:again|outside|all)`,
  ),
  opening(
    "es (?:regnet|schneit|stürmt|nieselt|hagelt|gewittert|ist (?:\\p{L}+ ){0,3}(?:kalt|heiß|warm|schwül|windig|grau|neblig|sonnig|glatt))|(?:das|so ein|was für ein|schönes|mieses|tolles) (?:\\p{L}+ )?wetter|die sonne|der regen|der schnee|schon wieder (?:regen|schnee)|was für ein\\p{L}*|so ein\\p{L}*",
  ),
  opening(
    "just (?:\\p{L}+ed|got|had|saw|ate|made|back)|on (?:the|my) (?:bus|train|way|plane|phone) now",
  ),
  words(
    "(?:train|bus|flight|plane|ferry|tram) is (?:\\p{L}+ ){0,2}(?:delayed|late|cancelled|canceled)|(?:zug|bus|flug) hat .{0,20}verspätung",
  ),
  /(?:地铁|火车|航班|公交|飞机)(?:又|还|都)?(?:晚点|延误|取消)|^我?刚(?:到|起|吃|下班|回|看完|睡)/u,
  /天气|下雨|下雪|刮风|出太阳|雾霾|^(?:外面|外边)|雨が|雪が|天気|날씨|비가|눈이/u,
  opening(
    `(?:the |our |my |this |that )?(?:\\p{L}+ ){0,2}?${machine}(?:'s)? .{0,40}?${condition}(?! (?:with|by|in|on|at|from|under|for|behind|above|near|next|opposite|beside|to)(?![\\p{L}]))`,
  ),
  words(
    "\\d+ (?:tests? )?(?:passed|failed|skipped)|exit(?:ed)?(?: with)? (?:code|status) \\d+|build (?:success\\w*|failed)",
  ),
  /^\[?(?:error|warning|warn|info|debug|fatal|fail|pass)\]?\s*[:\]]|^\d+ (?:tests?|errors?|warnings?|checks?|files?)\b|\b\d{1,3} ?%\s*(?:done|complete)?\s*$/iu,
  opening(
    "(?:der|die|das|unser|unsere|mein|meine)? ?(?:\\p{L}+ ){0,1}?(?:build|server|test|tests|drucker|internet|wlan|aufzug|pipeline|backup|update) .{0,30}?(?:kaputt|fertig|läuft|grün|rot|abgestürzt|durch|hängt|fehlgeschlagen|langsam|wieder da)",
  ),
  /(?:构建|编译|测试|部署|服务器|流水线|网络|电梯|打印机|备份).{0,10}(?:失败|通过|成功|完成|挂了|好了|崩了|坏了|断了|绿了|红了)/u,
];
