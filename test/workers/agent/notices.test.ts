import { describe, expect, test } from "vitest";
import { createNotices } from "#platform/agent/notices.ts";
import { insideAgent } from "./agent-database.ts";
import { freshAgent } from "./agent-stub.ts";

const stranger = (peer: string, account = "default") => ({ channel: "telegram", account, peer });

describe("a notice", () => {
  test("a stranger is told once, for ever", async () => {
    const { stub } = freshAgent();
    expect(await stub.claimNotice(stranger("p1"))).toBe(true);
    await stub.markNotice(stranger("p1"));
    expect(await stub.claimNotice(stranger("p1"))).toBe(false);
    expect(await stub.claimNotice(stranger("p2"))).toBe(true);
    expect(await stub.claimNotice(stranger("p1", "second"))).toBe(true);
  });

  test("of two messages at once only one may send the notice", async () => {
    const { stub } = freshAgent();
    const claims = await Promise.all([1, 2, 3].map(() => stub.claimNotice(stranger("p1"))));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  test("a notice that did not go out may be tried again after a minute", async () => {
    await insideAgent(({ database, clock }) => {
      const notices = createNotices(database, clock.now);
      expect(notices.claim(stranger("p1"))).toBe(true);
      clock.time += 59_999;
      expect(notices.claim(stranger("p1"))).toBe(false);
      clock.time += 1;
      expect(notices.claim(stranger("p1"))).toBe(true);
    });
  });

  test("nor is it kept from going out by a claim from before the clock was set back", async () => {
    await insideAgent(({ database, clock }) => {
      const notices = createNotices(database, clock.now);
      expect(notices.claim(stranger("p1"))).toBe(true);
      clock.time -= 3_600_000;
      expect(notices.claim(stranger("p1"))).toBe(true);
      expect(notices.claim(stranger("p1"))).toBe(false);
    });
  });

  test("an account tells at most twenty strangers a day", async () => {
    await insideAgent(({ database, clock }) => {
      const notices = createNotices(database, clock.now);
      const many = Array.from({ length: 25 }, (_, index) => stranger(`p${index}`));
      expect(many.filter((key) => notices.claim(key))).toHaveLength(20);
      expect(notices.claim(stranger("p1", "second"))).toBe(true);
      clock.time += 86_400_000;
      expect(notices.claim(stranger("p30"))).toBe(true);
    });
  });
});
