import { describe, expect, it } from "vitest";
import { readAddressing } from "#ext/telegram/addressing.ts";
import { fixtureMessage } from "./fixture.ts";

const id = 900_000_001;

function entity(type: string, text: string, span: string, more: object = {}) {
  return { type, offset: text.indexOf(span), length: span.length, ...more };
}

describe("readAddressing", () => {
  it("knows its own name whatever the case", () => {
    const text = "ask @Garden_Helper about peas";
    const entities = [entity("mention", text, "@Garden_Helper")];
    const known = readAddressing(text, entities, { id, username: "garden_helper" });
    expect(known).toEqual({ text, mentionsSelf: true });
    expect(readAddressing(text, entities, { id, username: "other_bot" }).mentionsSelf).toBe(false);
  });

  it("takes any name that ends in bot for its own while its name is not set", () => {
    for (const [name, mentioned] of [
      ["@sample_helper_bot", true],
      ["@SampleBot", true],
      ["@bob_example", false],
    ] as const) {
      const entities = [entity("mention", name, name)];
      expect(readAddressing(name, entities, { id }).mentionsSelf).toBe(mentioned);
    }
  });

  it("knows itself by id where it is mentioned by name", () => {
    const text = "Helper, come here";
    const user = (userId: number) => [
      entity("text_mention", text, "Helper", { user: { id: userId } }),
    ];
    expect(readAddressing(text, user(id), { id }).mentionsSelf).toBe(true);
    expect(readAddressing(text, user(id + 1), { id }).mentionsSelf).toBe(false);
  });

  it("drops its own name from a command, and leaves another bot's command alone", () => {
    expect(fixtureMessage("group-command")).toMatchObject({
      text: "/status now",
      mentionsSelf: true,
    });
    const bot = { id, username: "sample_helper_bot" };
    expect(fixtureMessage("group-other-command", { bot })).toMatchObject({
      text: "/status@another_sample_bot",
      mentionsSelf: false,
    });
  });

  it("reads a command that follows the name", () => {
    const text = "@sample_helper_bot /new please";
    const entities = [entity("mention", text, "@sample_helper_bot")];
    expect(readAddressing(text, entities, { id }).text).toBe("/new please");
    const someone = "@bob_example /new please";
    expect(readAddressing(someone, [entity("mention", someone, "@bob_example")], { id }).text).toBe(
      someone,
    );
  });

  it("finds a mention inside bold text and behind emoji", () => {
    const text = "🌱🌱 hi @sample_helper_bot!";
    const entities = [
      { type: "bold", offset: 0, length: text.length },
      entity("mention", text, "@sample_helper_bot"),
    ];
    expect(readAddressing(text, entities, { id }).mentionsSelf).toBe(true);
  });

  it("writes out hidden links", () => {
    expect(fixtureMessage("text-link").text).toBe("read this (https://example.org/a_b) please");
  });

  it("survives entities that point nowhere", () => {
    const entities = [
      { type: "mention", offset: 900, length: 5 },
      { type: "text_link", offset: 1, length: 900, url: "https://example.org/" },
      { type: "bot_command", offset: 0, length: 0 },
    ];
    expect(readAddressing("abc", entities, { id }).text).toBe("abc (https://example.org/)");
  });

  it("does not answer to plain group talk", () => {
    expect(fixtureMessage("group-plain").mentionsSelf).toBe(false);
    expect(fixtureMessage("group-mention").mentionsSelf).toBe(true);
  });
});
