import fc from "fast-check";
import { expect, it } from "vitest";
import { type ChannelSuite, final, firstPart, type Rig, sendContext } from "./channel-rig.ts";

/** The suite's tests of `render` and `send`: nothing lost, nothing twice, failures told apart. */
export function outboundTests(suite: ChannelSuite, rig: () => Rig): void {
  renderTests(suite, rig);
  sameSendTests(suite, rig);
  if (!suite.double) return;
  longTextTests(suite, rig);
  sendTests(suite, rig);
}

/** Words only: nothing a Markdown parser could take for mark-up. */
const wordText = fc
  .array(fc.stringMatching(/^[a-zäöü日本語😀]{1,40}$/u), { minLength: 1, maxLength: 2500 })
  .map((words) => words.join(" "));

function compact(text: string): string {
  return text.replace(/\s+/g, "");
}

function renderTests(suite: ChannelSuite, rig: () => Rig): void {
  it("keeps every word, within the limit, the same way each time", () => {
    const { channel } = rig();
    fc.assert(
      fc.property(wordText, (text) => {
        const parts = channel.render(final(text), suite.route);
        expect(channel.render(final(text), suite.route)).toEqual(parts);
        expect(compact(parts.map((part) => part.text).join(""))).toBe(compact(text));
        for (const part of parts) {
          expect(part.text.length).toBeLessThanOrEqual(channel.capabilities.textLimit);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("renders any Markdown without throwing, to plain JSON", () => {
    const { channel } = rig();
    const noise = fc.array(
      fc.constantFrom(
        "*",
        "_",
        "`",
        "```\n",
        "[a](b",
        "<b>",
        "&amp;",
        "\n\n",
        "| a |",
        "> ",
        "x",
        "😀",
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          noise.map((all) => all.join("")),
        ),
        (text) => {
          const parts = channel.render(final(text), suite.route);
          expect(JSON.parse(JSON.stringify(parts))).toEqual(parts);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("renders nothing for nothing", () => {
    expect(rig().channel.render(final(""), suite.route)).toEqual([]);
    expect(rig().channel.render(final(" \n\t\n"), suite.route)).toEqual([]);
  });
}

function longTextTests(suite: ChannelSuite, rig: () => Rig): void {
  it("sends a long text whole and in order", async () => {
    const { channel, double } = rig();
    const text = Array.from({ length: 2500 }, (_, index) => `word${index}`).join(" ");
    const parts = channel.render(final(text), suite.route);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      const result = await channel.send(part, suite.route, sendContext());
      expect(result.status).toBe("sent");
    }
    expect(compact(double.visible().join(""))).toBe(compact(text));
  });
}

function sameSendTests(suite: ChannelSuite, rig: () => Rig): void {
  it("sends what it rendered, under an id, whoever it is for", async () => {
    const { channel } = rig();
    for (const kind of ["final", "interim", "notice", "command"] as const) {
      const part = firstPart(channel.render({ kind, text: "a word" }, suite.route));
      const result = await channel.send(part, suite.route, sendContext());
      expect(result).toMatchObject({ status: "sent", messageId: expect.stringMatching(/./) });
    }
  });

  it("says why it cannot fetch an attachment", async () => {
    const result = await rig().channel.fetchAttachment?.("no-such-file");
    if (result) expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/\w+/) });
  });
}

function sendTests(suite: ChannelSuite, rig: () => Rig): void {
  const send = (text = "an answer") => {
    const { channel } = rig();
    const part = firstPart(channel.render(final(text), suite.route));
    return channel.send(part, suite.route, sendContext());
  };

  it("reports what it sent under the platform's id", async () => {
    const result = await send("one");
    expect(result).toMatchObject({ status: "sent" });
    expect(result.status === "sent" && result.messageId).toMatch(/./);
    expect(rig().double.visible()).toEqual(["one"]);
  });

  // B03
  it("asks for a retry after a rate limit, no sooner than the platform says", async () => {
    rig().double.failNext({ kind: "rate-limit", seconds: 2 });
    const result = await send();
    expect(result.status).toBe("retry");
    expect(result.status === "retry" && result.afterMs).toBeGreaterThanOrEqual(2000);
    expect(rig().double.visible()).toEqual([]);
    expect(rig().double.posts()).toBe(1);
  });

  it("fails for good when the platform refuses", async () => {
    rig().double.failNext({ kind: "refused" });
    expect(await send()).toMatchObject({ status: "failed", reason: expect.stringMatching(/\w+/) });
    expect(rig().double.posts()).toBe(1);
  });

  // B03
  it("does not repeat a send whose outcome is unknown", async () => {
    for (const kind of ["server-error", "cut"] as const) {
      for (const applied of [false, true]) {
        const before = rig().double.posts();
        rig().double.failNext({ kind, applied });
        expect(await send()).toMatchObject({ status: "unknown", reason: expect.any(String) });
        expect(rig().double.posts()).toBe(before + 1);
      }
    }
  });

  it("does not send when it was stopped before it began", async () => {
    const { channel, double } = rig();
    const part = firstPart(channel.render(final("late"), suite.route));
    const context = sendContext({ signal: AbortSignal.abort() });
    expect((await channel.send(part, suite.route, context)).status).toBe("retry");
    expect(double.visible()).toEqual([]);
  });

  it("does not send what it did not render", async () => {
    const { channel, double } = rig();
    const part = { payload: { unexpected: true }, text: "x" };
    expect((await channel.send(part, suite.route, sendContext())).status).toBe("failed");
    expect(double.visible()).toEqual([]);
  });

  it("asks for a retry, or says unknown, when nothing listens", async () => {
    await rig().double.stop();
    expect(["retry", "unknown"]).toContain((await send()).status);
  });

  it("shows typing and acknowledges buttons without ever failing", async () => {
    const { channel, double } = rig();
    const action = { deliveryId: "d1", platformMessageId: "m1" };
    await channel.typing?.(suite.route);
    await channel.acknowledgeAction?.(action);
    await double.stop();
    await channel.typing?.(suite.route);
    await channel.acknowledgeAction?.(action);
  });
}
