/**
 * Does a message ask for something from before? Decided by words, without a model: past
 * times, "did we", "remember when", "what was my …". Meant to be generous in what it takes for such a
 * question and to cost nothing where it is wrong: a search that finds nothing.
 */
const patterns: readonly RegExp[] = [
  /\b(remember|recall|remind me)\b.{0,40}\b(when|what|who|where|how|which|that|the|our|my)\b/i,
  /\b(did|have|had|were|was) (we|i|you)\b/i,
  /\b(what|which|who|whom|whose|where|when|how) (was|were|did|had|have)\b/i,
  /\b(what|who|where|when|which)('s| is| are) (my|our)\b/i,
  /\b(last|previous|earlier|past) (time|week|month|year|night|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|conversation|message|meeting)\b/i,
  /\b(yesterday|the other day|a while ago|\d+ (days?|weeks?|months?|years?) ago|back in|before that|once told|told you|as i said|we (talked|spoke|discussed|agreed|decided))\b/i,
  /\bdo you (know|remember|recall)\b/i,
  /(记得|還記得|还记得|上次|上周|上週|上个月|上個月|去年|昨天|前天|之前|以前|曾经|曾經|说过|說過|提过|提過|告诉过|告訴過|聊过|聊過|我的.{1,12}(是什么|是什麼|叫什么|叫什麼|是谁|是誰|在哪))/u,
  /(覚えて|前回|先週|先月|去年|昨日|一昨日|以前|この前|言った|話した|教えた)/u,
  /(기억|지난번|지난주|지난달|작년|어제|그저께|예전에|말했|얘기했|이야기했)/u,
  /\b(erinnerst du dich|weißt du noch|letzte[sn]?|gestern|vorgestern|neulich|damals)\b/i,
  /\b(te souviens|tu te rappelles|hier|la dernière|l'année dernière|il y a)\b/i,
  /\b(te acuerdas|recuerdas|ayer|la última|el año pasado|hace)\b/i,
];

export function asksForRecall(message: string): boolean {
  return patterns.some((pattern) => pattern.test(message));
}
