import { mine, who } from "./supersede-words.ts";

/**
 * Where something of somebody's is, as a key like those of supersede.ts: "my office is in Porto", "I have
 * moved my desk to the third floor", 我的办公室在…. Only what has one place at a time and keeps it for
 * long: a car, a key or a person is now here, now there.
 */
const places =
  "office|desk|work ?place|work ?station|studio|workshop|practice|shop|surgery|flat|apartment|house|cabin|cottage|" +
  "mooring|berth|garage|parking (?:space|spot|place)|locker|mail ?box|letter ?box|allotment|garden|stable|" +
  "storage (?:unit|room|space)|class ?room|lab|laboratory|gym|school|head ?quarters";
const now = "(?:now |currently |still |just |actually )*";
const where =
  "(?:in|at|on|by|near|behind|opposite|beside|above|below|under|between|next to|in front of|across|outside|inside|upstairs|downstairs)";
/** "my desk is in a mess", "my office is at risk" say how it is. */
const how =
  "(?:(?:a|an|the|such|total|complete|utter|great|terrible|bad|good|poor|need|dire|much) )*(?:mess|chaos|disarray|disorder|need|use|order|shape|state|condition|flames|ruins|risk|stake|war|danger|uproar|turmoil|process|trouble|limit|its|fire|hold|top|sale|repair|reconstruction|renovation|construction|maintenance|me|you|him|her|them|us|it)(?![\\p{L}])";
const place = `${where} (?!${how})\\S`;
const numbered = "(?:(?:number|no\\.?|room|desk|floor) )?[\\p{L}]{0,2}-?\\d";

const forms: readonly RegExp[] = [
  new RegExp(
    `${mine}(${places}) (?:is|are|will be|lies|stands) ${now}(?:${place}|${numbered})`,
    "iu",
  ),
  new RegExp(
    `${mine}(${places}) (?:has |have )?(?:just |now |recently )?(?:been )?(?:moved|relocated) (?:back )?(?:to|into) \\S`,
    "iu",
  ),
  new RegExp(
    `${who}(?:moved|relocated) (?:my|our|their|the) (${places}) (?:back )?(?:to|into|from \\S+ to) \\S`,
    "iu",
  ),
  /^mein(?:e|en|em)? (?:neue[rns]? )?(büro|schreibtisch|arbeitsplatz|werkstatt|praxis|wohnung|liegeplatz|garage|stellplatz|parkplatz|schließfach|briefkasten|garten) (?:ist|liegt|steht) (?:jetzt |nun |nicht mehr .{1,30} sondern )?(?:in|im|am|an|auf|bei|beim|neben|hinter|gegenüber) \S/iu,
  /^我(?:们)?(?:的)?(办公室|工位|公司|宿舍|车位|停车位|教室|实验室|储物柜|诊所|工作室)(?:现在|已经|目前|就|刚)*(?:在|搬到|搬去|换到|移到)了?(?!装修|开会|修)\S/u,
];

export function placeKey(plain: string): string | null {
  for (const form of forms) {
    const thing = form.exec(plain)?.[1];
    if (thing !== undefined) return `my:${thing.toLowerCase().replaceAll(/\s+/g, " ")}:place`;
  }
  return null;
}
