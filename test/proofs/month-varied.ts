import type { Changed, MonthPlan, Planted } from "./month-plan.ts";
import { gossip, type TalkFamily, talkFamilies } from "./talk.ts";

/** A month in other words for each seed: which facts, how they are put, and what is talked about besides. */
export function variedPlan(seed: number): MonthPlan {
  const random = generator(seed);
  const planted = [
    ...shuffled(toldFacts, random)
      .slice(0, 5)
      .map((fact) => ask(fact, random)),
    ...shuffled(soughtFacts, random).slice(0, 4),
  ];
  const changed = shuffled(changes, random)
    .slice(0, 5)
    .map((one) => one(random));
  // What is said every day is looked for every day as well.
  const favourites = shuffled(talkFamilies, random).slice(0, 4);
  const refrains = favourites.map(({ lines }) => numbered(pick(lines, random), random));
  return {
    planted,
    changed,
    talk(count) {
      const own = generator(seed * 100_003 + count);
      if (count % 4 === 0) return pick(refrains, own);
      if (count % 7 === 0) return gossip(count);
      return numbered(pick(pick(talkFamilies, own).lines, own), own);
    },
    idleSearches(day) {
      const own = generator(seed * 70_001 + day);
      const searches = (families: readonly TalkFamily[]) => pick(pick(families, own).searches, own);
      return [1, 2, 3, 4].map((count) => searches(count < 4 ? favourites : talkFamilies));
    },
    answer: (text, count) => pick(answers, generator(seed * 30_011 + count))(text),
  };
}

const answers: readonly ((text: string) => string)[] = [
  (text) => `I have read it: ${text}`,
  (text) => `Noted. ${text}`,
  (text) => `Good to know, thank you: ${text}`,
  () => "You're welcome! Is there anything else I can do for you?",
  () => "Got it, I have put that on the list.",
  () => "Gern geschehen, sag einfach Bescheid.",
  () => "好的,没问题!",
];

interface Told {
  readonly fact: string;
  readonly mark: RegExp;
  readonly asks: readonly string[];
}

const english = [
  "Please remember that …",
  "Remember that …",
  "Don't forget that …",
  "Keep in mind that …",
  "Please note that …",
  "Hey, could you remember that …",
  "Remember: …",
  "…, please remember that",
];
const told = (fact: string, mark: RegExp, asks = english): Told => ({ fact, mark, asks });

const toldFacts: readonly Told[] = [
  told("the alarm code of the cabin is 4471", /4471/),
  told("Tomas is allergic to shellfish", /shellfish/),
  told("the spare fuses lie in the tin with the swallow", /swallow/),
  told("my aunt Ruth only eats kosher", /kosher/),
  told("the cellar floods every spring when the river is high", /cellar floods/),
  told("I take two tablets every morning before breakfast", /two tablets/),
  told("the club's post office box is 2210", /2210/),
  told("meine Tante keine Nüsse verträgt", /Nüsse/, [
    "Merk dir bitte, dass …",
    "Vergiss nicht, dass …",
  ]),
  told("我对青霉素过敏", /青霉素/, ["请记住…", "麻烦你记住,…", "别忘了,…"]),
  told("我妹妹的生日是三月八号", /三月八号/, ["请记住…", "帮我记住…"]),
];

function ask({ fact, mark, asks }: Told, random: () => number): Planted {
  return { said: pick(asks, random).replace("…", fact), mark, questions: [] };
}

const soughtFacts: readonly Planted[] = [
  {
    said: "My nephew Jonas studies botany in Uppsala",
    mark: /botany/,
    questions: ["nephew Jonas", "who studies botany", "Jonas Uppsala", "botany Uppsala"],
  },
  {
    said: "The key of the allotment hangs behind the beehive",
    mark: /beehive/,
    questions: ["allotment key", "key beehive", "where does the allotment key hang", "beehive"],
  },
  {
    said: "Our piano tuner is called Mr Halloran and lives above the bakery",
    mark: /Halloran/,
    questions: ["piano tuner", "Halloran piano", "tuner bakery", "who is our piano tuner"],
  },
  {
    said: "Hi, the choir rehearses on Wednesdays in the old customs house",
    mark: /customs house/,
    questions: [
      "choir customs house",
      "where does the choir rehearse",
      "choir Wednesdays",
      "choir",
    ],
  },
  {
    said: "Meine Schwester Liv baut Orgeln in Trondheim",
    mark: /Orgeln/,
    questions: ["Liv Orgeln", "Schwester Liv", "Orgeln Trondheim", "Liv Trondheim"],
  },
  {
    said: "I drive a green van from 1987 that runs on rapeseed oil",
    mark: /rapeseed/,
    questions: ["green van", "van rapeseed oil", "1987 van", "rapeseed"],
  },
];

type Change = (random: () => number) => Changed;

function change(firsts: string[], laters: string[], now: RegExp, before: RegExp): Change {
  return (random) => ({ first: pick(firsts, random), later: pick(laters, random), now, before });
}

function either(...alternatives: readonly Change[]): Change {
  return (random) => pick(alternatives, random)(random);
}

/** By subject: of each there is one truth at a time. */
const changes: readonly Change[] = [
  change(
    ["Remember that I prefer trains over planes", "Please note that I prefer trains to planes"],
    ["I now prefer planes over trains", "Actually, I like planes more than trains"],
    /planes (?:over|more than) trains/,
    /trains (?:over|to) planes/,
  ),
  either(
    change(
      ["Please remember that I live in Ghent", "Keep in mind that we live in Ghent"],
      ["I moved to Bruges", "We've just moved to Bruges", "Actually, I live in Bruges now"],
      /Bruges/,
      /Ghent/,
    ),
    change(
      ["Merk dir, dass ich in Celle wohne", "Merk dir bitte: ich wohne in Celle"],
      ["Ich bin nach Stade gezogen", "Ich wohne jetzt in Stade"],
      /Stade/,
      /Celle/,
    ),
  ),
  change(
    ["Remember that my office is in Leeds", "Don't forget that our office is in Leeds"],
    ["my office is now in York", "Our office has moved to York", "I've moved my office to York"],
    /York/,
    /Leeds/,
  ),
  change(
    ["Remember that my desk is at the window", "Note that my desk is by the window"],
    ["My desk is next to the fireplace now", "I moved my desk to the fireplace"],
    /fireplace/,
    /window/,
  ),
  change(
    ["Remember that I work at Brio", "Please remember: I work for Brio"],
    ["I started working at Calder", "I now work for Calder"],
    /Calder/,
    /Brio/,
  ),
  change(
    ["Remember that my doctor is Weiss", "Keep in mind that my doctor is Weiss"],
    ["My new doctor is Braun", "my doctor is now Braun"],
    /Braun/,
    /Weiss/,
  ),
  change(
    ["Remember that my favourite season is autumn"],
    ["My favourite season is winter", "from now on my favourite season is winter"],
    /winter/,
    /autumn/,
  ),
  change(
    ["请记住我的办公室在三楼"],
    ["我的办公室搬到了五楼", "我的办公室现在在五楼"],
    /五楼/,
    /三楼/,
  ),
];

/** Mulberry32: the same numbers for the same seed, everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(list: readonly T[], random: () => number): T {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .toSorted((first, second) => first.at - second.at)
    .map(({ one }) => one);
}

function numbered(text: string, random: () => number): string {
  return text.replaceAll("#", () => String(1 + Math.floor(random() * 9)));
}
