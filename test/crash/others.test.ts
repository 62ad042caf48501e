import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSurvival } from "./expect-survival.ts";
import { scenariosNamed } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { findCases, killAtAll, partsOf } from "./suite.ts";

/**
 * Every place of what differs most between channels, on those that are not Telegram. The whole matrix:
 * `CRASH_RUNS=all npm run bench -- crash`.
 */
const essential = scenariosNamed("text", "chunks", "safe tool", "unsafe tool");
const meanwhile = scenariosNamed("steering", "stop", "new");
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

describe("at every place in a direct chat on Slack", () => {
  test.each(essential)("$name survives a kill, and nobody needs to be told", async (scenario) => {
    const cases = await findCases(stage, partsOf([scenario], ["slack-direct"]));
    const verdicts = await killAtAll(stage, cases);
    expectSurvival(`slack ${scenario.name}`, verdicts);
    expect(verdicts.every(({ notices }) => notices === 0)).toBe(true);
  });
});

describe("at every place of a request to the API", () => {
  test.each([...essential, ...meanwhile])("$name survives a kill", async (scenario) => {
    const cases = await findCases(stage, partsOf([scenario], ["api"]));
    expectSurvival(`api ${scenario.name}`, await killAtAll(stage, cases));
  });
});

test("a preview edited in place survives a kill at every place", async () => {
  const kinds = ["slack-direct", "telegram-group"] as const;
  const cases = await findCases(stage, partsOf(scenariosNamed("preview"), kinds));
  expectSurvival("preview", await killAtAll(stage, cases));
});
