import { expect, test } from "vitest";
import type { NoteReceipt, NoteRequest } from "#contract/memory.ts";
import { getSetting } from "#core/state/settings.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

test("what an owner said that no note took stays owed, and is asked for anew until one does", async () => {
  let now = 1_800_000_000_000;
  const asked: NoteRequest[] = [];
  const answers: NoteReceipt[] = [{ ok: false, reason: "The file is no text file." }];
  const world = new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => now,
    tools: [],
    config: { memory: { recall: "off" } },
    agent: {
      beginStep: async () => ({ granted: true, bootstrap: null }),
      memory: {
        note: async (request: NoteRequest) => {
          asked.push(request);
          return answers.shift() ?? { ok: true, path: "memory/2027-01-15.md", added: true };
        },
      } as never,
    },
  });
  const settings = world.store.settings;
  await world.receive("My sister is called Ida.", {}, [{ text: "I see" }]);
  expect(asked).toHaveLength(1);
  expect(getSetting(settings, "captureDue")).toBe(true);

  now += 3_600_000;
  await world.settled();
  expect(asked).toHaveLength(2);
  expect(asked[1]?.entries).toEqual(asked[0]?.entries);
  // Under the first id it stands in the log as refused.
  expect(asked[1]?.operationId).not.toBe(asked[0]?.operationId);
  expect(getSetting(settings, "captureDue")).toBeUndefined();
});
