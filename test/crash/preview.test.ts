import { afterAll, beforeAll, test } from "vitest";
import { createRandom } from "./random.ts";
import { scenariosNamed } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { casesOf, seed, survive } from "./suite.ts";

/**
 * Answers that are shown while they are written. These runs take as long as previews wait, so that
 * every place is tried on one channel only and a few of the others'.
 */
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

test("a preview edited in place survives a kill at every place", async () => {
  const [preview] = scenariosNamed("preview");
  await survive(stage, await casesOf(stage, preview!, "slack-direct"));
});

test.each(["telegram-direct", "telegram-group"] as const)(
  "a preview on %s survives kills at random places",
  async (kind) => {
    const [preview] = scenariosNamed("preview");
    const cases = await casesOf(stage, preview!, kind);
    await survive(stage, createRandom(seed).pick(cases, 4));
  },
);
