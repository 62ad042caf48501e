import { describe, expect, test } from "vitest";
import type { ChannelExtension } from "#contract/channel.ts";
import { slack } from "#ext/slack/index.ts";
import { telegram } from "#ext/telegram/index.ts";
import { absentSettings } from "#kit/needed-settings.ts";

/** A channel that would refuse every message must say so before anybody writes one. */
describe.each([
  [telegram, "webhookSecret"],
  [slack, "signingSecret"],
] as const)("a channel", (channel: ChannelExtension, secret) => {
  test(`is not set up without its ${secret}`, () => {
    expect(absentSettings(channel.settings, { botToken: "x" })).toEqual([secret]);
    expect(absentSettings(channel.settings, { botToken: "x", [secret]: "" })).toEqual([secret]);
    expect(absentSettings(channel.settings, { botToken: "x", [secret]: "y" })).toEqual([]);
    expect(channel.environment[secret]).toMatch(/_SECRET$/);
  });
});
