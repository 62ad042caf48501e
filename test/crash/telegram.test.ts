import { afterAll, beforeAll, test } from "vitest";
import { expectSurvival } from "./expect-survival.ts";
import { scenarios } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { findCases, killAtAll, partsOf } from "./suite.ts";

/**
 * Every place of every scenario in direct chats on Telegram, where nobody can be asked afterwards what
 * became of a send that was cut off. The windows between "the model has finished" and "the send is
 * recorded" are among them.
 */
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

test.each(scenarios.map((scenario) => ({ name: scenario.name, scenario })))(
  "$name survives a kill at every place",
  async ({ name, scenario }) => {
    const cases = await findCases(stage, partsOf([scenario], ["telegram-direct"]));
    expectSurvival(`telegram ${name}`, await killAtAll(stage, cases));
  },
);
