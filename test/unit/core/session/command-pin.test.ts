import { expect, test } from "vitest";
import { isPinnedHere } from "#core/state/pinned.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

function talk(
  config: object = {},
  pinSession?: (key: string, isPinned: boolean) => Promise<void>,
  key = "agent:main:web:direct:ada",
) {
  const told: (readonly [string, boolean])[] = [];
  const world = new SessionWorld({
    key,
    now: () => 1_800_000_000_000,
    tools: sessionTools.tools,
    agent: { pinSession: pinSession ?? (async (...note) => void told.push(note)) },
    config,
  });
  const say = async (text: string) => {
    await world.receive(text);
    return JSON.stringify(world.store.outbox.withPrefix("").at(-1));
  };
  return { world, told, say };
}

test("a conversation is pinned until its owner says otherwise, and its agent knows", async () => {
  const { world, told, say } = talk();
  expect(isPinnedHere(world.ports)).toBeNull();
  expect(await say("/pin")).toContain("stays at hand");
  expect(isPinnedHere(world.ports)).toBe("command");
  await say("/reset");
  expect(isPinnedHere(world.ports)).toBe("command");
  expect(await say("/status")).toContain("Pinned: nothing of it is archived.");
  expect(await say("/pin off")).toContain("No longer pinned");
  expect(isPinnedHere(world.ports)).toBeNull();
  const { key } = world.ports;
  expect(told).toEqual([
    [key, true],
    [key, false],
  ]);
});

test("what is pinned by the configuration stays so, and that is said", async () => {
  const { world, say } = talk({ session: { retention: { pinned: ["web:ada"] } } });
  await say("hello");
  expect(await say("/pin off")).toContain("it stays so by the configuration");
  expect(isPinnedHere(world.ports)).toBe("configuration");
});

test("an agent that does not answer may have noted it: here all is as it was, and no more is said", async () => {
  const { world, say } = talk({}, () => Promise.reject(new Error("no answer")));
  const text = await say("/pin");
  expect(text).toContain("may not have been noted");
  expect(text).not.toContain("nothing has changed");
  expect(isPinnedHere(world.ports)).toBeNull();
});

test("a conversation of one request cannot be pinned, as it ends by itself, and that is said", async () => {
  const { world, told, say } = talk({}, undefined, "agent:main:api:once:1a2b3c");
  expect(await say("/pin")).toContain("Not pinned: this conversation is of one request");
  expect([isPinnedHere(world.ports), told]).toEqual([null, []]);
});
