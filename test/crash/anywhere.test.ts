import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSurvival, randomFor } from "./expect-survival.ts";
import { personKinds } from "./person.ts";
import { scenarios } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { findCases, killAtAll, partsOf } from "./suite.ts";

/** Random places of all scenarios, others in each run; the seed is printed. */
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

describe("at 12 random places", () => {
  test("turns on Telegram survive a kill", async () => {
    const random = randomFor("telegram");
    const cases = await findCases(stage, partsOf(scenarios, ["telegram-direct", "telegram-group"]));
    expectSurvival("telegram", await killAtAll(stage, random.pick(cases, 12)));
  });

  test("turns on Slack survive a kill, and nobody needs to be told anything", async () => {
    const random = randomFor("slack");
    const cases = await findCases(stage, partsOf(scenarios, ["slack-direct", "slack-thread"]));
    const verdicts = await killAtAll(stage, random.pick(cases, 12));
    expectSurvival("slack", verdicts);
    expect(verdicts.every(({ notices }) => notices === 0)).toBe(true);
  });

  test("requests to the API survive a kill", async () => {
    const random = randomFor("api");
    const cases = await findCases(stage, partsOf(scenarios, ["api", "api-key"]));
    expectSurvival("api", await killAtAll(stage, random.pick(cases, 12)));
  });

  test("turns anywhere survive two kills in a row", async () => {
    const random = randomFor("two kills");
    const cases = await findCases(stage, partsOf(scenarios, personKinds));
    const again = () => 1 + random.below(6);
    expectSurvival("two kills", await killAtAll(stage, random.pick(cases, 12), again));
  });
});
