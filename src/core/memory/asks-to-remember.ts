/**
 * Did somebody ask for something to be kept, in so many words? At the beginning of a sentence only, so
 * that "I can't remember" and "do you remember" are none. For the owner's own words alone.
 */
// Bounded in what may stand in front, or a text of nothing but that would be read once per line.
const opening = String.raw`(?:^|[.!?;:,\n。！？；：，、])[^\S\n]*(?:(?:please|also|and|oh|ok|okay|btw|by the way|hey|hi|pagurus|so|can you|could you|would you|you should|i want you to|i'd like you to)[, ]+){0,6}`;

const asks = [
  new RegExp(
    `${opening}(?:remember|memori[sz]e|keep in mind|don['’]?t forget|do not forget|make a note|take a note|note(?: down)?(?: that| this|:)|write (?:this|that|it) down|save (?:this|that) )(?! when| the time| how| where| who| what| if)`,
    "iu",
  ),
  // A fact must follow where the words alone may mean something else.
  /(?:^|[.!?;:,\n])[^\S\n]*(?:(?:bitte|und|auch|ok|hey|hallo)[, ]+){0,6}(?:(?:merke? dir|vergiss (?:bitte )?nicht)(?!\p{L})(?!,? (?:wann|wie|wo|was|wer|warum|ob) )|denke? (?:bitte )?daran,? da(?:ss|ß) )/iu,
  /(?:^|[.!?;:,\n])[^\S\n]*(?:souviens-toi|retiens|n['’]oublie pas|recuerda|no olvides|ricorda(?:ti)?|lembra(?:-te)?)(?: bien)?(?:,? (?:que|che) | qu['’]| ?: )/iu,
  /(?<![不没還还你])(?:记住|記住|记下|記下|记一下|記一下|别忘了|別忘了|不要忘记|不要忘記|帮我记|幫我記|请记得|請記得)/u,
  /(?:覚えて(?:おいて|て|ね|ください|$)|覚えといて|忘れないで|メモして)/u,
  /(?:기억해(?!\?|요\?)|기억하세요|잊지 ?마|메모해)/u,
];

export function asksToRemember(text: string): boolean {
  return asks.some((pattern) => pattern.test(text));
}
