import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { buildSessionKey, isOneOff, ONE_OFF_KEYS } from "#core/routing/session-key.ts";
import { openAgentDatabase } from "#platform/agent/database.ts";
import { SessionDirectory } from "#platform/agent/sessions.ts";
import { Conversation } from "#test/workers/session/conversation.ts";
import { openShelf, type AgentShelf } from "#wiring/agent-shelf.ts";
import { insideAgent } from "./agent-database.ts";
import { freshAgent } from "./agent-stub.ts";

/** An agent with more conversations than it keeps. */
const day = 24 * 3_600_000;

afterEach(() => {
  vi.restoreAllMocks();
});

const configured = (retention: object): Env =>
  Object.assign({ ...env }, { PAGURUS_CONFIG: JSON.stringify({ session: { retention } }) });

describe("the directory", () => {
  test("knows who is at rest and present, the longest unused first", async () => {
    await insideAgent(({ database, clock }) => {
      const directory = new SessionDirectory(database, clock.now);
      for (const sessionKey of ["a", "b", "c", "d"]) {
        clock.time += 10;
        directory.markBusy({ sessionKey, mark: 1 });
        if (sessionKey !== "b") directory.clear({ sessionKey, mark: 1 });
      }
      const keys = () => directory.unused(9, ONE_OFF_KEYS).map(({ sessionKey }) => sessionKey);
      expect([directory.present(ONE_OFF_KEYS), keys()]).toEqual([4, ["a", "c", "d"]]);
      directory.spare("c", clock.time + 1);
      expect(keys()).toEqual(["a", "d"]);
      clock.time += 1;
      const once = buildSessionKey({ agentId: "main", scope: { kind: "api-once", request: "x" } });
      expect(isOneOff(once)).toBe(true);
      directory.markBusy({ sessionKey: once, mark: 1 });
      directory.clear({ sessionKey: once, mark: 1 });
      expect(directory.present(ONE_OFF_KEYS)).toBe(4);
      expect(directory.unused(2, ONE_OFF_KEYS).map(({ sessionKey }) => sessionKey)).toEqual([
        "a",
        "c",
      ]);
    });
  });

  test("never asks one that is pinned, and lists it so, as it does those of the configuration", async () => {
    await insideAgent(({ database, clock }) => {
      const isPinned = ({ address }: { address: string | null }) => address === "web:x";
      const directory = new SessionDirectory(database, clock.now, isPinned);
      for (const sessionKey of ["a", "b", "x"]) {
        clock.time += 1;
        directory.markBusy({ sessionKey, mark: 1, address: `web:${sessionKey}` });
        directory.clear({ sessionKey, mark: 1 });
      }
      const pinned = () => directory.list(9).flatMap((row) => (row.pinned ? row.sessionKey : []));
      const unused = () => directory.unused(9, ONE_OFF_KEYS).map(({ sessionKey }) => sessionKey);
      directory.pin("b", true);
      expect([pinned(), unused()]).toEqual([
        ["x", "b"],
        ["a", "x"],
      ]);
      directory.pin("b", false);
      expect([pinned(), unused()]).toEqual([["x"], ["a", "b", "x"]]);
    });
  });

  test("lists one as pinned whose mark never arrived", async () => {
    await insideAgent(({ database, clock }) => {
      const directory = new SessionDirectory(database, clock.now);
      directory.pin("late", true);
      expect(directory.list(9)).toEqual([
        { sessionKey: "late", lastActiveAt: clock.time, pinned: true },
      ]);
      directory.markBusy({ sessionKey: "late", mark: 1, address: "web:late" });
      expect(directory.find("web:late")).toMatchObject({ sessionKey: "late", pinned: true });
      directory.pin("late", false);
      expect(directory.list(9)[0]).not.toHaveProperty("pinned");
    });
  });

  test("marks one as archived only if nobody wrote meanwhile, and a message brings it back", async () => {
    await insideAgent(({ database, clock }) => {
      const directory = new SessionDirectory(database, clock.now);
      const use = (mark: number) => {
        clock.time += 10;
        directory.markBusy({ sessionKey: "a", mark });
      };
      use(1);
      directory.clear({ sessionKey: "a", mark: 1 });
      const [seen] = directory.unused(1, ONE_OFF_KEYS);
      use(2);
      directory.archive(seen!);
      expect(directory.present(ONE_OFF_KEYS)).toBe(1);
      directory.clear({ sessionKey: "a", mark: 2 });
      directory.archive(seen!);
      expect(directory.present(ONE_OFF_KEYS)).toBe(1);

      directory.archive(directory.unused(1, ONE_OFF_KEYS)[0]!);
      expect([directory.present(ONE_OFF_KEYS), directory.unused(9, ONE_OFF_KEYS)]).toEqual([0, []]);
      expect(directory.find("a")).toMatchObject({ archived: true });
      use(3);
      expect(directory.find("a")).not.toHaveProperty("archived");
      expect(directory.present(ONE_OFF_KEYS)).toBe(1);
    });
  });
});

test("of real conversations the longest unused is put away, and no other", async () => {
  const [old, pinned, newer] = [new Conversation(), new Conversation(), new Conversation()];
  const talks = [old, pinned, newer];
  for (const talk of talks) {
    const { seq } = await talk.stub.accept(talk.envelope("hello"));
    await talk.turnOf(seq);
    await talk.stub.handOver();
    await vi.waitFor(async () => {
      expect(await talk.stub.wake("sweep")).toMatchObject({ idle: true });
    }, 10_000);
  }
  const entries = (talk: Conversation) =>
    talk.inside(({ transcript }) => transcript.page(0, 9).length);
  const start = Date.now();
  const time = vi.spyOn(Date, "now");
  const { stub } = freshAgent();
  const scheduled = vi.fn();
  const inside = <T>(act: (directory: SessionDirectory, shelf: AgentShelf) => T | Promise<T>) =>
    runInDurableObject(stub, (_instance, { storage }) => {
      const directory = new SessionDirectory(openAgentDatabase(storage), () => Date.now());
      const rules = { sessions: 2, pinned: [pinned.key] };
      return act(directory, openShelf(configured(rules), directory, scheduled));
    });

  await inside(async (directory, shelf) => {
    for (const [index, talk] of [pinned, old, newer].entries()) {
      time.mockReturnValue(start + index);
      directory.markBusy({ sessionKey: talk.key, mark: 1 });
      directory.clear({ sessionKey: talk.key, mark: 1 });
    }
    shelf.tick();
    shelf.tick();
    expect(scheduled).toHaveBeenCalledOnce();
    // Too lately used, all of them.
    expect(await shelf.step()).toBe("done");
  });
  time.mockReturnValue(start + 3 * day);
  await vi.waitFor(async () => {
    await inside((_directory, shelf) => shelf.step());
    await runDurableObjectAlarm(old.stub);
    expect(await inside((directory) => directory.present(ONE_OFF_KEYS))).toBe(2);
  }, 15_000);
  await inside((directory, shelf) => {
    expect(directory.find(old.key)).toMatchObject({ archived: true });
    shelf.tick();
  });
  expect(scheduled).toHaveBeenCalledOnce();
  expect(await Promise.all(talks.map(entries))).toEqual([0, 2, 2]);
});
