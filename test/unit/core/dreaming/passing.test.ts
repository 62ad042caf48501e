import { expect, test } from "vitest";
import { askedToRemember } from "#core/dreaming/content.ts";
import { isPassing } from "#core/dreaming/passing.ts";
import { dream, dreamer, line, memoryOf, recalls, today } from "./world.ts";

const passing = [
  "Thanks a lot for your help with the mail",
  "haha that was a good one",
  "I am a bit tired today and the coffee machine leaks",
  "I feel great, the run did me good",
  "what a long day with all these meetings",
  "It's raining again and my shoes are wet",
  "The weather in the harbour is awful",
  "I have to pick up the parcel from the post office",
  "Buy milk and bread on the way home",
  "Dentist appointment on Thursday at nine",
  "dinner with Bob on 12 May at Luigi's",
  "reminder: bins out tonight",
  "Don't forget the bins tonight",
  "what is the capital of Norway",
  "how do I convert cups to grams",
  "translate the menu into English",
  "The build is red again, three tests failed",
  "Build finished, 212 passed and 3 failed",
  "the server is down again",
  "Ich bin heute total müde und habe keine Lust",
  "Das Wetter ist schon wieder so grau",
  "Ich muss noch schnell das Paket abholen",
  "Am Donnerstag um 9 Uhr ist der Zahnarzt",
  "Wie wird das Wetter in Hamburg",
  "今天好累,不想动",
  "外面又下雨了",
  "周五下午三点去看牙医",
  "帮我翻译这句话",
  "测试又失败了",
];

test.each(passing)("%j is talk of the moment", (text) => {
  expect(isPassing(text)).toBe(true);
});

test.each([
  "My sister Eva lives in Bergen and builds violins",
  "My dentist Doctor Okafor only takes patients on Wednesdays",
  "I moved to Porto today",
  "As of today I am vegan",
  "We decided today to go with Postgres",
  "Every Monday I have to take out the bins",
  "Eva's birthday is 12 May",
  "Clara was born on 3 March 1980",
  "I'm good at chess",
  "I am home schooled",
  "We are down to one car",
  "It rains in through the skylight of the studio",
  "Ich muss eine Brille tragen",
  "我开会只用Zoom",
  "When I travel I need a window seat",
  "The build uses Bazel and Hono",
  "Our server stands in the basement of the town hall",
  "The meeting room of the club has twelve chairs",
  "Post office box 1234 belongs to the club",
  "Thanks! My sister Eva lives in Bergen and builds violins",
  "I'm tired. My sister Eva lives in Bergen and builds violins",
  "Ich bin ab heute Vegetarier",
  "Jeden Montag bringe ich die Tonnen raus",
  "我什么都吃,但对花生过敏",
  "我每周三去打羽毛球",
  "我从今天起不喝咖啡",
])("%j is not", (text) => {
  expect(isPassing(text)).toBe(false);
});

test("talk of the moment does not get in, however often it is said and found", () => {
  const who = dreamer();
  const nights = [today, "2026-05-11", "2026-05-12"];
  for (const day of nights) {
    const lines = passing.map((text) => line(text, { day }));
    dream(who, { lines, recalls: lines.flatMap((one) => recalls(one, 6)) }, { day });
  }
  expect(memoryOf(who)).toBe("");
});

test.each([
  ["Don't forget the dentist tomorrow at nine", null],
  ["Remember my flight tomorrow is at nine", null],
  ["别忘了明天开会带电脑", null],
  ["Remember that we fly tomorrow morning", "we fly tomorrow morning"],
  ["Please remember: the boat comes tomorrow", "the boat comes tomorrow"],
  ["请记住我明天开始在银行工作", "我明天开始在银行工作"],
  [
    "Don't forget the spare key hangs behind the blue barrel",
    "the spare key hangs behind the blue barrel",
  ],
])("a reminder of a day is no wish to keep a fact: %j", (text, fact) => {
  expect(askedToRemember(text)).toBe(fact);
});
