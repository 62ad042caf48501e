import { describe, expect, test } from "vitest";
import { matchTriggers, type TriggerEntry } from "#core/memory/trigger.ts";

function entry(text: string, triggers: string[], more: Partial<TriggerEntry> = {}): TriggerEntry {
  return { text, triggers, importance: null, projects: [], ...more };
}

const peanuts = entry("Allergic to peanuts.", ["peanuts", "allergy", "food allergies"]);
const car = entry("The car is a blue Skoda.", ["car", "oil change"]);

function texts(message: string, entries = [peanuts, car], projects: string[] = []): string[] {
  return matchTriggers(message, entries, projects).map(({ entry: { text } }) => text);
}

describe("triggers", () => {
  test("a word of a message brings an entry to mind, whatever its ending", () => {
    expect(texts("Any peanut in this cake?")).toEqual([peanuts.text]);
    expect(texts("do I have ALLERGIES?")).toEqual([peanuts.text]);
  });

  test("a phrase said whole counts more than one of its words", () => {
    expect(texts("when is the next oil change due")).toEqual([car.text]);
    expect(texts("add olive oil to the list")).toEqual([]);
  });

  test("a message about something else brings nothing", () => {
    expect(texts("What is the weather like in Oslo?")).toEqual([]);
    expect(texts("")).toEqual([]);
  });

  test("a word that is everywhere is no trigger", () => {
    expect(texts("what is the time", [entry("Odd.", ["what", "the"])])).toEqual([]);
  });

  test("at most three come, the best first, and of equals the more important", () => {
    const many = ["a", "b", "c", "d"].map((name, index) =>
      entry(`entry ${name}`, ["holiday"], { importance: index + 1 }),
    );
    const whole = entry("summer", ["summer holiday"]);
    expect(texts("plans for the summer holiday", [...many, whole])).toEqual([
      "summer",
      "entry d",
      "entry c",
    ]);
  });

  test("what the file says twice comes once, and takes nobody's place", () => {
    const twice = ["a", "a", "a", "b"].map((name) => entry(`entry ${name}`, ["holiday"]));
    expect(texts("a holiday", twice)).toEqual(["entry a", "entry b"]);
  });

  test("an entry of a project comes only while all of its projects are active", () => {
    const scoped = entry("Deploy on Fridays is forbidden.", ["deploy"], {
      projects: ["shop", "api"],
    });
    expect(texts("may I deploy?", [scoped])).toEqual([]);
    expect(texts("may I deploy?", [scoped], ["shop"])).toEqual([]);
    expect(texts("may I deploy?", [scoped], ["api", "shop"])).toEqual([scoped.text]);
  });

  test("scripts without spaces match inside a sentence", () => {
    const tea = entry("喜欢乌龙茶", ["乌龙茶", "茶"]);
    expect(texts("今天想喝乌龙茶吗", [tea])).toEqual([tea.text]);
    const sushi = entry("寿司が好き", ["寿司"]);
    expect(texts("昨日寿司を食べた", [sushi])).toEqual([sushi.text]);
  });

  test("a Korean word matches whatever is joined to it, a single syllable does not", () => {
    const trip = entry("리스본에 언니가 산다", ["리스본", "차"]);
    expect(texts("다음 달에 리스본에 가요", [trip])).toEqual([trip.text]);
    expect(texts("주차장이 어디예요", [trip])).toEqual([]);
  });
});
