import { expect, it } from "vitest";
import type { Channel } from "#contract/channel.ts";
import {
  type ChannelFailure,
  type ChannelSuite,
  final,
  firstPart,
  type Rig,
  sendContext,
  testPorts,
} from "./channel-rig.ts";

/** The suite's tests of `edit` and `remove` (repeatable), and of secrets (never shown). */
export function editTests(suite: ChannelSuite, rig: () => Rig): void {
  if (!suite.double) {
    it("has nothing that could be changed or looked up where there is no platform", () => {
      const { channel } = rig();
      const needPlatform = ["edit", "remove", "draft", "typing", "reconcile"];
      expect(needPlatform.filter((member) => member in channel)).toEqual([]);
    });
    return;
  }
  const part = (text: string) => firstPart(rig().channel.render(final(text), suite.route));

  async function posted(): Promise<string> {
    const result = await rig().channel.send(part("draft"), suite.route, sendContext());
    if (result.status !== "sent") throw new Error(`not sent: ${result.status}`);
    return result.messageId;
  }

  it("replaces a message, as often as it is asked to", async () => {
    const { channel, double } = rig();
    if (!channel.edit) return;
    const id = await posted();
    for (let round = 0; round < 2; round += 1) {
      const result = await channel.edit(id, part("done"), suite.route, sendContext());
      expect(result).toMatchObject({ status: "sent", messageId: id });
    }
    expect(double.visible()).toEqual(["done"]);
  });

  it("asks for a retry of an edit that failed in any passing way", async () => {
    const { channel, double } = rig();
    if (!channel.edit) return;
    const id = await posted();
    const failures: ChannelFailure[] = [
      { kind: "rate-limit", seconds: 3 },
      { kind: "server-error", applied: false },
      { kind: "server-error", applied: true },
      { kind: "cut", applied: false },
      { kind: "cut", applied: true },
    ];
    for (const [index, failure] of failures.entries()) {
      const next = part(`version ${index}`);
      double.failNext(failure);
      expect(await channel.edit(id, next, suite.route, sendContext())).toMatchObject({
        status: "retry",
      });
      const again = await channel.edit(id, next, suite.route, sendContext());
      expect(again).toMatchObject({ status: "sent" });
    }
    expect(double.visible()).toEqual(["version 4"]);
  });

  it("fails to edit what is not there", async () => {
    const { channel } = rig();
    if (!channel.edit) return;
    const id = await posted();
    await channel.remove?.(id, suite.route, sendContext());
    if (!channel.remove) return;
    const result = await channel.edit(id, part("x"), suite.route, sendContext());
    expect(result.status).toBe("failed");
  });

  it("removes a message, as often as it is asked to", async () => {
    const { channel, double } = rig();
    if (!channel.remove) return;
    const id = await posted();
    for (let round = 0; round < 2; round += 1) {
      const result = await channel.remove(id, suite.route, sendContext());
      expect(result).toMatchObject({ status: "sent" });
    }
    expect(double.visible()).toEqual([]);
  });
}

export function secrecyTests(suite: ChannelSuite, rig: () => Rig): void {
  // B79
  it("shows no secret in any result or log line, whatever fails", async () => {
    const { logs, apiRoot } = rig();
    const told: unknown[] = [];
    for (const message of leakyMessages(suite)) {
      const leaky: typeof fetch = () => {
        const cause = new Error(`connect failed: ${message}`);
        return Promise.reject(new TypeError(`fetch failed: ${message}`, { cause }));
      };
      const ports = testPorts(logs, leaky);
      const options = { apiRoot, signingSecret: suite.signingSecret, ports };
      told.push(...(await everything(suite.create(options), suite)));
    }
    const shown = JSON.stringify([told, logs, rig().channel.capabilities]);
    for (const secret of suite.secrets) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(secret.slice(-12));
    }
  });
}

function leakyMessages(suite: ChannelSuite): string[] {
  return suite.secrets.flatMap((secret) => [
    `POST https://api.example.org/bot${secret}/call`,
    `Authorization: Bearer ${secret}`,
    `https://api.example.org/file/bot${encodeURIComponent(secret)}/a.jpg`,
  ]);
}

async function everything(channel: Channel, suite: ChannelSuite): Promise<unknown[]> {
  const { route } = suite;
  const part = firstPart(channel.render(final("hello"), route));
  const context = sendContext();
  const setup = { origin: "https://pagurus.example.org", commands: [] };
  const results: unknown[] = [
    await channel.send(part, route, context),
    await channel.edit?.("1", part, route, context),
    await channel.remove?.("1", route, context),
    await channel.draft?.(7, "text", route, context),
    await channel.fetchAttachment?.("file-1"),
    await channel.reconcile?.("delivery-1", route),
    await channel.setup?.(setup),
  ];
  await channel.typing?.(route);
  await channel.acknowledgeAction?.({ deliveryId: "1", platformMessageId: "1" });
  return results;
}
