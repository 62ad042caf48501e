import { afterAll, beforeAll, describe, test } from "vitest";
import { scenariosNamed } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { casesOf, survive } from "./suite.ts";

/**
 * Every place of every scenario, on Telegram, where a cut-off send can never be asked about afterwards.
 * Kills in the windows between "the model has finished" and "the send is recorded" are among them.
 */
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

describe("a turn on Telegram survives a kill at every place", () => {
  const names = ["text", "chunks", "safe tool", "keyed write", "keyed message"];
  test.each(scenariosNamed(...names))("$name", async (scenario) => {
    await survive(stage, await casesOf(stage, scenario, "telegram-direct"));
  });
});
