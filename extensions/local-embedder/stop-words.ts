/** English words that say how a sentence is built, not what it is about. */
const text = `
  a about above after again against all am an and any are as at be because been before being below
  between both but by can could did do does doing don down during each few for from further had has
  have having he her here hers herself him himself his how i if in into is isn it its itself just let
  ll me more most my myself no nor not now of off on once only or other ought our ours ourselves out
  over own re same shall she should so some such than that the their theirs them themselves then there
  these they this those through to too under until up us ve very was we were what when where which
  while who whom whose why will with would you your yours yourself yourselves
`;

export const stopWords: ReadonlySet<string> = new Set(text.trim().split(/\s+/));
