import { expect, test } from "vitest";
import { intentTools } from "#ext/intent-tools/index.ts";
import { memoryIntents } from "#test/doubles/intents.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

const now = () => 1_800_000_000_000;

async function talk(isGroup: boolean) {
  const intents = memoryIntents(now);
  await intents.create(
    { when: "the boss comes up", action: "mention the job offer", keywords: [] },
    "k",
  );
  const world = new SessionWorld({
    key: isGroup ? "agent:main:web:group:ada" : "agent:main:web:direct:ada",
    isGroup,
    now,
    tools: intentTools.tools,
    agent: { beginStep: async () => ({ granted: true, bootstrap: null }), intents },
  });
  const say = async (text: string) => {
    await world.receive(text);
    return JSON.stringify(world.store.outbox.withPrefix("").at(-1));
  };
  return { world, intents, say };
}

test("standing intents are told to an owner who is alone, and not to a group", async () => {
  expect(await (await talk(false)).say("/intents")).toContain("job offer");
  const { intents, say } = await talk(true);
  expect(await say("/intents")).toContain("only where you alone read");
  const [armed] = intents.armed();
  expect(await say(`/intents cancel ${armed?.id}`)).not.toContain("cancelled");
  expect(intents.armed()).toHaveLength(1);
});

test("where memory is off there is no tool to arm or list one", async () => {
  const { world, say } = await talk(false);
  const offered = () => world.requests.at(-1)?.tools.map(({ name }) => name);
  await say("hello");
  expect(offered()).toContain("intent");
  await say("/memory off");
  await say("hello again");
  expect(offered()).not.toContain("intent");
});
