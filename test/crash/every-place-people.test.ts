import { afterAll, beforeAll, describe, test } from "vitest";
import { scenariosNamed } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { casesOf, survive } from "./suite.ts";

/** Every place again, where a person does something while a turn runs, or a tool acts outside. */
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

describe("what people do meanwhile survives a kill at every place", () => {
  const names = ["unsafe tool", "steering", "stop", "new", "two turns"];
  test.each(scenariosNamed(...names))("$name", async (scenario) => {
    await survive(stage, await casesOf(stage, scenario, "telegram-direct"));
  });
});
