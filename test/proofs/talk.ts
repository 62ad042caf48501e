/**
 * Families of talk that nobody would want to be remembered, each with what one may look for when it was
 * said. `#` becomes a number. Invented for the proof: the product knows none of these sentences.
 */
export interface TalkFamily {
  readonly name: string;
  readonly lines: readonly string[];
  readonly searches: readonly string[];
}

export const talkFamilies: readonly TalkFamily[] = [
  {
    name: "greetings and thanks",
    lines: [
      "good morning, I hope the night was quiet",
      "thanks a lot for yesterday's list, it helped",
      "ok thanks, that was all for the moment",
      "have a lovely evening and see you soon",
      "hello again, here I am with another coffee",
      "sorry for the many messages, I am done now",
    ],
    searches: ["good morning coffee", "thanks list", "lovely evening"],
  },
  {
    name: "moods of the day",
    lines: [
      "I am so tired, the neighbours had a party until three",
      "feeling rather cheerful, the run along the river did me good",
      "I'm a bit grumpy this morning because of the noise in the yard",
      "what a week, my head is full of numbers",
      "we are all a little stressed before the inspection",
    ],
    searches: [
      "tired neighbours party",
      "grumpy noise",
      "stressed inspection",
      "cheerful run river",
    ],
  },
  {
    name: "weather",
    lines: [
      "it is raining again and the terrace is under water",
      "the weather on the coast is awful, # degrees and fog",
      "still no snow, the sledges wait in the cellar",
      "lovely sunshine outside, finally spring",
    ],
    searches: ["weather coast", "snow sledges", "raining terrace", "rain", "sunshine spring"],
  },
  {
    name: "errands with dates",
    lines: [
      "I have to pick up the parcel from the post office on Thursday",
      "dentist appointment on 1# May at half past nine",
      "buy milk, candles and string for the parcel",
      "dinner with the Lindgrens next Friday at eight",
      "we need to return the library books by Monday",
      "plumber comes on Tuesday at #, the kitchen has to be empty",
    ],
    searches: [
      "dentist appointment",
      "parcel post office",
      "library books",
      "dinner Lindgrens",
      "plumber kitchen",
      "parcel",
    ],
  },
  {
    name: "reminders of today",
    lines: [
      "reminder: the bins have to be out tonight",
      "don't forget the laundry in the machine this afternoon",
      "remember the oven in # minutes",
      "remind me of the call with the school at four",
    ],
    searches: ["bins tonight", "laundry machine", "call school", "oven minutes"],
  },
  {
    name: "questions to the assistant",
    lines: [
      "how long does a hard-boiled egg take?",
      "what is the capital of Mongolia",
      "how many cups are # grams of flour",
      "why did the ferry stop at the island for so long",
      "can you tell me when the pharmacy opens",
      "which day is the market in the old town",
    ],
    searches: ["capital Mongolia", "cups grams flour", "pharmacy opens", "market old town", "egg"],
  },
  {
    name: "requests to the assistant",
    lines: [
      "translate the second paragraph of the letter into French",
      "please write a short reply to the invitation of the choir",
      "summarise the minutes of the meeting in # points",
      "show me three recipes with leeks and potatoes",
    ],
    searches: ["letter French paragraph", "reply invitation choir", "recipes leeks potatoes"],
  },
  {
    name: "status talk",
    lines: [
      "the build is red again, # tests failed in the parser",
      "build finished: 2# passed, # failed, 0 skipped",
      "the server is slow again, the queue hangs",
      "deployment done, the website is back online",
      "the printer on the second floor is out of order",
    ],
    searches: [
      "build tests failed",
      "build red",
      "server slow queue",
      "printer out of order",
      "build",
    ],
  },
  {
    name: "jokes",
    lines: [
      "why did the crab cross the beach? To get to the other tide",
      "knock knock, it's the interrupting cow again",
      "haha, the one with the crab was really good",
      "guess what the snail said on the back of the turtle",
    ],
    searches: ["crab beach", "crab joke", "snail turtle"],
  },
  {
    name: "German",
    lines: [
      "Na, alles klar bei dir? Hier ist es ganz ruhig",
      "Ich bin heute total müde und der Kaffee ist alle",
      "Es regnet schon wieder, der Keller ist feucht",
      "Ich muss morgen um 1# Uhr das Paket abholen",
      "Wie wird das Wetter am Wochenende in Husum",
      "Kannst du mir den Brief an die Schule übersetzen",
      "Am Donnerstag um 9 Uhr ist der Termin beim Zahnarzt",
      "Der Build ist schon wieder rot, # Tests kaputt",
      "Danke dir, schönen Feierabend",
    ],
    searches: ["Paket abholen", "Wetter Husum", "Zahnarzt Termin", "Build rot", "Kaffee", "Keller"],
  },
  {
    name: "Chinese",
    lines: [
      "早上好,昨晚睡得不太好",
      "今天好累,什么都不想做",
      "外面又下雨了,鞋子都湿了",
      "今天中午吃什么好呢",
      "帮我翻译一下这封邮件",
      "我得去超市买牛奶和鸡蛋",
      "周五下午三点去看牙医",
      "测试又失败了,一共#个错误",
      "哈哈哈,这个笑话太好笑了",
      "谢谢你的帮助,晚安",
    ],
    searches: ["下雨", "牙医", "超市牛奶", "测试失败", "翻译邮件"],
  },
  {
    // No form tells these; what is looked for is near them and not in them.
    name: "by the way",
    lines: [
      "that lasagne from the corner shop was amazing",
      "ran # kilometres before breakfast, legs like jelly",
      "the cat threw up on the carpet in the hall",
      "rolled out version 2.# to staging, so far so quiet",
      "could not find my glasses for half an hour",
      "school run at three, then groceries",
      "Die Kinder sind endlich im Bett, Ruhe im Haus",
      "中午的面条味道一般,汤太咸了",
    ],
    searches: [
      "recipe for lasagne with spinach",
      "how old is the cat",
      "cat vet Whitby",
      "staging password policy",
      "which school do the children visit",
      "prescription of my glasses",
      "Kinder Geburtstag Ideen",
      "面条的做法",
    ],
  },
];

/** Gossip has no form to tell it by: said once, and looked for no more than once. */
const who = ["the neighbour", "a colleague", "the postman", "somebody", "the team", "my cousin"];
const did = ["talked about", "complained about", "laughed at", "wondered about", "asked about"];
const what = ["the weather", "a film", "the harbour", "a new bakery", "the elections", "a concert"];

export function gossip(count: number): string {
  const pick = (list: readonly string[], by: number) => list[Math.floor(count / by) % list.length];
  return `${pick(who, 1)} ${pick(did, 6)} ${pick(what, 30)} for ${count} minutes`;
}
