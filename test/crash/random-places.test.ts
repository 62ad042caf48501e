import { afterAll, beforeAll, expect, test } from "vitest";
import { personKinds, type PersonKind } from "./person.ts";
import { createRandom } from "./random.ts";
import { scenarios } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { casesOf, seed, survive, type Case } from "./suite.ts";

/** Random places of all scenarios on the other channels. The whole matrix: `npm run bench -- crash`. */
const random = createRandom(seed);
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

async function someCases(kinds: readonly PersonKind[], count: number): Promise<Case[]> {
  const all: Case[] = [];
  for (const scenario of scenarios) {
    for (const kind of scenario.kinds) {
      if (scenario.name === "preview" || !kinds.includes(kind)) continue;
      all.push(...(await casesOf(stage, scenario, kind)));
    }
  }
  return random.pick(all, count);
}

test("turns on Slack survive kills at 12 random places", async () => {
  const cases = await someCases(["slack-direct", "slack-thread"], 12);
  const verdicts = await survive(stage, cases);
  // Slack can be asked what became of a message: nobody needs to be told anything.
  expect(verdicts.every(({ notices }) => notices === 0)).toBe(true);
});

test("requests to the API survive kills at 12 random places", async () => {
  await survive(stage, await someCases(["api", "api-key"], 12));
});

test("turns anywhere survive two kills in a row", async () => {
  await survive(stage, await someCases(personKinds, 8), random);
});
