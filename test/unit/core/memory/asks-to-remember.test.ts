import { expect, test } from "vitest";
import { asksToRemember } from "#core/memory/asks-to-remember.ts";

test.each([
  "remember that I take the 8:15",
  "Please remember: the boat is blue",
  "Nice. Also, remember my sister's birthday is May 3",
  "don't forget that Ben is allergic to nuts",
  "Keep in mind I am off on Fridays",
  "Merk dir bitte, dass mein Fahrrad im Keller steht",
  "Hallo. Bitte merke dir: mein Fahrrad ist blau",
  "Vergiss bitte nicht, dass ich keine Nüsse esse",
  "Denk daran, dass ich freitags frei habe",
  "Souviens-toi que mon vélo est bleu",
  "Recuerda: mi bicicleta es azul",
  "ricordati che la mia bici è blu",
  "记住我喜欢喝绿茶",
  "请帮我记住：车位是B12",
  "私の誕生日は5月3日です。覚えておいて",
  "내 생일은 5월 3일이야. 기억해",
])("%j asks for something to be kept", (text) => {
  expect(asksToRemember(text)).toBe(true);
});

test.each([
  "do you remember my sister?",
  "I can't remember where I parked",
  "remember when we went to Rome?",
  "Merk dir, wann ich komme",
  "Ich kann mir das nicht merken",
  "Denk daran heute Abend",
  "Recuerda mucho a su abuela",
  "Te souviens-tu que je viens ?",
  "what do you remember about me",
  "你还记得我的车位吗？",
  "She told me to remember it",
  "기억해?",
])("%j does not", (text) => {
  expect(asksToRemember(text)).toBe(false);
});

test.each(["\n", "\t \n", ",please ", ". , ", "hey, "])(
  "a long text of nothing but %j is read in time that grows with its length only",
  (unit) => {
    // In time that grows with its square it would take minutes.
    expect(asksToRemember(unit.repeat(1_000_000 / unit.length))).toBe(false);
  },
);
