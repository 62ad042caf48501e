import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSurvival, seed } from "./expect-survival.ts";
import { personKinds } from "./person.ts";
import { createRandom } from "./random.ts";
import { scenarios, scenariosNamed } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { findCases, killAtAll, partsOf } from "./suite.ts";

/** The other channels, at random places. The whole matrix: `npm run bench -- crash`. */
const random = createRandom(seed);
const quick = scenarios.filter(({ name }) => name !== "preview");
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

describe("at 12 random places", () => {
  test("turns on Slack survive a kill, and nobody needs to be told anything", async () => {
    const cases = await findCases(stage, partsOf(quick, ["slack-direct", "slack-thread"]));
    const verdicts = await killAtAll(stage, random.pick(cases, 12));
    expectSurvival("slack", verdicts);
    expect(verdicts.every(({ notices }) => notices === 0)).toBe(true);
  });

  test("requests to the API survive a kill", async () => {
    const cases = await findCases(stage, partsOf(quick, ["api", "api-key"]));
    expectSurvival("api", await killAtAll(stage, random.pick(cases, 12)));
  });

  test("turns anywhere survive two kills in a row", async () => {
    const cases = await findCases(stage, partsOf(quick, personKinds));
    const verdicts = await killAtAll(stage, random.pick(cases, 12), () => 1 + random.below(6));
    expectSurvival("two kills", verdicts);
  });
});

test("a preview edited in place survives a kill at every place", async () => {
  const kinds = ["slack-direct", "telegram-group"] as const;
  const cases = await findCases(stage, partsOf(scenariosNamed("preview"), kinds));
  expectSurvival("preview", await killAtAll(stage, cases));
});
