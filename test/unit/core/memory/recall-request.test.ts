import { expect, test } from "vitest";
import { asksForRecall } from "#core/memory/recall-request.ts";

test.each([
  "Did we decide on a colour?",
  "Remember when Ada lost her keys?",
  "What was the name of that hotel",
  "what's my shoe size?",
  "Who did I meet last Tuesday?",
  "what did I tell you about the boiler 3 weeks ago",
  "你还记得我上次说的餐厅吗",
  "我的医生叫什么",
  "前回の会議で何を決めた？",
  "지난번에 말한 책 제목이 뭐였지?",
  "Weißt du noch, was ich gestern wollte?",
])("“%s” asks for something from before", (message) => {
  expect(asksForRecall(message)).toBe(true);
});

test.each([
  "Write a poem about the sea",
  "What is 12 * 7?",
  "Translate 'good morning' to French",
  "Set a timer",
  "Ok, thanks!",
  "明天天气怎么样",
])("“%s” does not", (message) => {
  expect(asksForRecall(message)).toBe(false);
});
