import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  commandOf,
  commandTable,
  commandUsage,
  isCommandFor,
  parseCommand,
  type Command,
} from "#core/routing/command.ts";

const owner = { isOwner: true };
const guest = { isOwner: false };
const route = {
  channel: "telegram",
  account: "default",
  conversation: "1",
  kind: "group",
} as const;
const update = { text: "/new", forwarded: false, mentionsSelf: false, route };

describe("parseCommand", () => {
  test.each<[string, Command]>([
    ["/help", { name: "help" }],
    ["  /STATUS \n", { name: "status" }],
    ["/new", { name: "new" }],
    ["/new anthropic/claude", { name: "new", model: "anthropic/claude" }],
    ["/reset", { name: "reset", soft: false }],
    ["/reset Soft", { name: "reset", soft: true }],
    ["/stop", { name: "stop", explicit: true }],
    ["/stop now", { name: "stop", explicit: true }],
    ["stop", { name: "stop", explicit: false }],
    [" Stop ", { name: "stop", explicit: false }],
    ["/model", { name: "model" }],
    ["/model\topus 4", { name: "model", model: "opus 4" }],
    ["/models", { name: "models" }],
    ["/think", { name: "think" }],
    ["/think XHIGH", { name: "think", level: "xhigh" }],
    ["/usage cost", { name: "usage", detail: "cost" }],
    ["/queue collect", { name: "queue", mode: "collect" }],
    ["/steer use\nthe second list", { name: "steer", text: "use\nthe second list" }],
    ["/again", { name: "again" }],
    ["/whoami", { name: "whoami" }],
    ["/export", { name: "export" }],
    ["/pin", { name: "pin", isPinned: true }],
    ["/pin Off", { name: "pin", isPinned: false }],
    ["/pin it", { name: "invalid", of: "pin", message: "Use it as /pin [off]." }],
    ["/context", { name: "context" }],
    ["/commands", { name: "commands" }],
    ["/memory", { name: "memory", action: "status" }],
    ["/memory Off", { name: "memory", action: "off" }],
    ["/memory show", { name: "memory", action: "show" }],
    ["/memory show memory/a b.md", { name: "memory", action: "show", argument: "memory/a b.md" }],
    ["/memory search  my sister", { name: "memory", action: "search", argument: "my sister" }],
  ])("reads %j", (text, command) => {
    expect(parseCommand(text)).toEqual({ command });
  });

  test.each([
    "",
    "/",
    "help",
    "/frobnicate",
    "/newer",
    "/new/models",
    "/usr/bin/env",
    "/help!",
    "// help",
    "please /help",
    "stop!",
    "stop that",
    "don't stop",
    "/constructor",
    "/new@",
  ])("takes %j for plain text", (text) => {
    expect(parseCommand(text)).toBeNull();
  });

  test.each(["/think harder", "/usage all", "/queue fast", "/reset hard", "/memory eat"])(
    "says what the command of %j takes",
    (text) => {
      const parsed = parseCommand(text)?.command;
      expect(parsed).toMatchObject({ name: "invalid", of: text.slice(1).split(" ")[0] });
      const row = commandTable.find(({ name }) => text.startsWith(`/${name}`));
      expect(parsed).toHaveProperty("message", row && `Use it as ${commandUsage(row)}.`);
    },
  );

  test.each([
    ["/memory search", "Use it as /memory search <words>."],
    ["/memory restore", "Use it as /memory restore <path> <version>."],
    ["/memory index please", "Use it as /memory index [force]."],
    ["/memory off now", "Use it as /memory off, with nothing behind it."],
  ])("says of %j what that action takes, and nothing of the others", (text, message) => {
    expect(parseCommand(text)?.command).toEqual({ name: "invalid", of: "memory", message });
  });

  test("knows whom a command is addressed to", () => {
    expect(parseCommand("/New@Pagurus_bot gpt")).toEqual({
      command: { name: "new", model: "gpt" },
      addressee: "Pagurus_bot",
    });
  });

  test("knows every command of the table, in any case and with a bot's name", () => {
    fc.assert(
      fc.property(fc.constantFrom(...commandTable), fc.boolean(), (row, upper) => {
        const word = upper ? row.name.toUpperCase() : row.name;
        expect(parseCommand(`/${word}@some_bot`)?.command.name).toBe(row.name);
      }),
    );
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        parseCommand(`/${text}`);
      }),
    );
  });
});

describe("commandOf", () => {
  test("refuses words that are someone else's or for somebody else", () => {
    expect(commandOf(update)).toEqual({ name: "new" });
    expect(commandOf({ ...update, forwarded: true })).toBeNull();
    expect(commandOf({ ...update, action: "a:1" })).toBeNull();
    const addressed = { ...update, text: "/new@other_bot" };
    expect(commandOf(addressed)).toBeNull();
    expect(commandOf({ ...addressed, mentionsSelf: true })).toEqual({ name: "new" });
    expect(commandOf({ ...addressed, route: { ...route, kind: "direct" } })).toEqual({
      name: "new",
    });
  });
});

describe("a misspelt command", () => {
  const direct = { ...update, route: { ...route, kind: "direct" } } as const;

  test.each([
    ["/modle", "model"],
    [" /stauts ", "status"],
    ["/HELPP", "help"],
    ["/comands", "commands"],
    ["/contxet", "context"],
  ])("%j alone is answered with %s, for whoever may give that", (text, of) => {
    const command = commandOf({ ...direct, text });
    expect(command).toMatchObject({ name: "invalid", of });
    expect(command).toHaveProperty("message", expect.stringContaining(`Did you mean /${of}?`));
    const row = commandTable.find(({ name }) => name === of);
    expect(command && isCommandFor(command, guest)).toBe(row?.access === "anyone");
  });

  test.each([
    ["/memroy status", "memory", "/memory status"],
    ["/modle opus", "model", "/model opus"],
    ["/serach x", null, ""],
    ["/unpin", "pin", "/pin off"],
    ["/unready", null, ""],
    ["/memroy dance", null, ""],
    ["/stauts of my parcel", null, ""],
    ["/thinks about it", null, ""],
  ])("%j is near to %s, if what stands behind it fits", (text, of, meant) => {
    const command = commandOf({ ...direct, text });
    const hint = expect.stringContaining(`Did you mean ${meant}?`);
    expect(command).toEqual(of && { name: "invalid", of, message: hint });
  });

  test.each([
    ["/memory serach x", "Did you mean /memory search x? Use it as /memory [search"],
    ["/dreaming udno", "Did you mean /dreaming undo? Use it as /dreaming ["],
    ["/think hgih", "Did you mean /think high? Use it as /think <"],
    [`/memory serach ${"very ".repeat(20)}long`, "Did you mean /memory? "],
  ])("%j is answered with the word that was meant", (text, message) => {
    const command = commandOf({ ...direct, text });
    expect(command).toMatchObject({ message: expect.stringContaining(message) });
  });

  test.each([
    "/start",
    "/now playing",
    "/frobnicate",
    "/hello",
    "/test",
    "modle",
    "/modle?",
    "/modle\n/new",
    "/usr/bin",
  ])("%j is plain text", (text) => {
    expect(commandOf({ ...direct, text })).toBeNull();
  });

  test("is plain text in a group, unless the assistant is addressed", () => {
    expect(commandOf({ ...update, text: "/modle" })).toBeNull();
    expect(commandOf({ ...update, text: "/modle", mentionsSelf: true })).not.toBeNull();
    expect(commandOf({ ...direct, text: "/modle", forwarded: true })).toBeNull();
  });
});

describe("commands about projects and intents", () => {
  test.each([
    ["/project", { name: "project" }],
    ["/project off", { name: "project", key: null }],
    ["/project git@example.test:Ada/Shop.git", { name: "project", key: "example.test/ada/shop" }],
    ["/intents", { name: "intents" }],
    ["/intents cancel A1B2c3", { name: "intents", close: { id: "a1b2c3", status: "cancelled" } }],
    ["/intents done a1", { name: "intents", close: { id: "a1", status: "done" } }],
  ])("%s", (text, command) => {
    expect(parseCommand(text)?.command).toEqual(command);
  });

  test.each(["/project ../x", "/intents drop a1", "/intents cancel"])("%s is refused", (text) => {
    expect(parseCommand(text)?.command.name).toBe("invalid");
  });
});

describe("who may give a command", () => {
  test("an owner any, others only those that change nothing and tell nothing private", () => {
    const open = commandTable.filter(({ access }) => access === "anyone").map(({ name }) => name);
    expect(open).toEqual(["help", "commands", "status", "whoami"]);
    for (const row of commandTable) {
      const command = parseCommand(`/${row.name}`)?.command;
      expect(command && isCommandFor(command, owner)).toBe(true);
      expect(command && isCommandFor(command, guest)).toBe(row.access === "anyone");
    }
  });

  test("counts a wrong argument as the command it belongs to", () => {
    expect(isCommandFor({ name: "invalid", of: "think", message: "" }, guest)).toBe(false);
  });

  test("the table fits a menu: names and descriptions are short, and come once", () => {
    expect(new Set(commandTable.map(({ name }) => name)).size).toBe(commandTable.length);
    for (const { name, description } of commandTable) {
      expect(name).toMatch(/^[a-z]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(100);
    }
  });
});
