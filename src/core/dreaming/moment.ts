/**
 * Words that tie a sentence to the day it was said on: what it says is over when the day is. Not dates:
 * these tell a day whenever they are read. A beginning ("from today on") is none, it lasts.
 */
const beginning =
  /(?:from|as of|since|starting|until) (?:today|tomorrow|yesterday|this week|right now)|(?:ab|seit) (?:heute|morgen|gestern)|从(?:今天|明天|昨天|现在)|(?:今天|明天)(?:起|开始)|今日から|明日から|오늘부터|내일부터/giu;

const days = [
  "today|tonight|tomorrow|yesterday|last night|right now|just now|this (?:morning|afternoon|evening|noon|week|weekend)",
  "(?:a|an|\\d+|few|two|three|five|ten) (?:moments?|minutes?|hours?) ago|in (?:a|an|\\d+|two|three|five|ten|half an) (?:moment|minutes?|hours?|bit)",
  "heute|gestern|vorgestern|übermorgen|morgen (?:früh|vormittag|nachmittag|mittag|abend|um|muss|ist|kommt|habe?n?|wird)|(?:muss|ist|kommt|hab|haben|will|nicht|noch) (?:\\p{L}+ ){0,2}morgen|gerade eben|diese woche|dieses wochenende",
  "aujourd['’]hui|demain|hier soir|ce soir|ce matin|cet après-midi|hoy|mañana|ayer|esta (?:noche|tarde|mañana)",
  "oggi|domani|ieri|stasera|stamattina|hoje|amanhã|ontem|esta noite",
].join("|");
const spaced = new RegExp(`(?<![\\p{L}\\p{N}])(?:${days})(?![\\p{L}\\p{N}])`, "iu");
const unspaced =
  /今天|今晚|今早|今儿|明天|明早|明晚|昨天|昨晚|后天|前天|刚才|刚刚|这会儿|待会|等会|等一下|这周|本周|今日|明日|昨日|今夜|今朝|さっき|今から|오늘|내일|어제|방금|이따/u;

export function namesTheDay(text: string): boolean {
  const rest = text.normalize("NFKC").replaceAll("’", "'").replaceAll(beginning, " ");
  return spaced.test(rest) || unspaced.test(rest);
}
