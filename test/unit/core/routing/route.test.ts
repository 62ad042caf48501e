import { describe, expect, test } from "vitest";
import { configSchema } from "#contract/config.ts";
import type { ParsedMessage } from "#contract/message.ts";
import type { Owner } from "#contract/runtime-config.ts";
import { routeMessage, type RoutingContext } from "#core/routing/route.ts";
import { message } from "./messages.ts";

const owners: Owner[] = [
  { channel: "telegram", id: "111000111" },
  { channel: "slack", id: "U0FAKE0001" },
];
const context = (document: object = {}, change: Partial<RoutingContext> = {}): RoutingContext => ({
  runtime: { config: configSchema.parse(document), owners, closed: [] },
  caseSensitiveIds: false,
  ...change,
});
const key = (from: ParsedMessage, to: RoutingContext = context()) => {
  const routing = routeMessage(from, to);
  return routing.admit ? routing.sessionKey : routing.reason;
};

const ada = { id: "111000111", name: "Ada" };
const adaOnSlack = { id: "U0FAKE0001", name: "Ada" };
const telegramDirect = message({ sender: ada, route: { conversation: "111000111" } });
const slackDirect = message({
  sender: adaOnSlack,
  route: { channel: "slack", account: "work", conversation: "D0FAKE0001" },
});
const slackChannel = (change: object = {}) =>
  message({
    sender: adaOnSlack,
    mentionsSelf: true,
    route: { channel: "slack", conversation: "C0FAKE0001", kind: "channel", ...change },
  });

describe("the key of a direct chat", () => {
  test.each([
    ["main", "agent:main:main", "agent:main:main"],
    ["per-peer", "agent:main:direct:111000111", "agent:main:direct:u0fake0001"],
    [
      "per-channel-peer",
      "agent:main:telegram:direct:111000111",
      "agent:main:slack:direct:u0fake0001",
    ],
    [
      "per-account-channel-peer",
      "agent:main:telegram:default:direct:111000111",
      "agent:main:slack:work:direct:u0fake0001",
    ],
  ])("under %s", (dmScope, onTelegram, onSlack) => {
    const to = context({ session: { dmScope } });
    expect(key(telegramDirect, to)).toBe(onTelegram);
    expect(key(slackDirect, to)).toBe(onSlack);
  });

  // B27
  test("comes from the person, not from the platform's id of the chat", () => {
    const other = message({
      ...slackDirect,
      route: { ...slackDirect.route, conversation: "D0FAKE0002" },
    });
    expect(key(other)).toBe(key(slackDirect));
  });

  test("keeps threads apart on its channel", () => {
    const topic = message({ sender: ada, route: { conversation: "111000111", thread: "285" } });
    expect(key(topic)).toBe("agent:main:telegram:direct:111000111:thread:285");
  });

  test("is one for linked ids, whatever their channel, unless all share main anyway", () => {
    const links = { ada: ["telegram:111000111", "u0fake0001"] };
    for (const dmScope of ["per-peer", "per-channel-peer", "per-account-channel-peer"]) {
      const to = context({ session: { dmScope, identityLinks: links } });
      expect(key(telegramDirect, to)).toBe("agent:main:direct:linked:ada");
      expect(key(slackDirect, to)).toBe("agent:main:direct:linked:ada");
    }
    const main = context({ session: { dmScope: "main", identityLinks: links } });
    expect(key(telegramDirect, main)).toBe("agent:main:main");
  });
});

describe("nobody but an owner gets into an owner's conversation", () => {
  const guest = (id: string) =>
    message({ sender: { id, name: "Sam" }, route: { channel: "line" } });
  const open = { channels: { line: { dmPolicy: "open" } } };

  test.each([
    [{ dmScope: "main" }, "222000222"],
    [{ dmScope: "per-peer" }, "111000111"],
    [{ dmScope: "per-peer", identityLinks: { ada: ["telegram:111000111", "9"] } }, "9"],
  ])("under %j", (session, id) => {
    const routing = key(guest(id), context({ ...open, session }));
    expect(routing).toContain(id);
    expect(routing).not.toBe(key(telegramDirect, context({ ...open, session })));
  });

  test("while people who are not owners can be linked by channel and id", () => {
    const identityLinks = { sam: ["line:7", "telegram:8"] };
    const to = context({ ...open, session: { identityLinks } });
    expect(key(guest("7"), to)).toBe("agent:main:direct:linked:sam");
  });
});

describe("the key of a group", () => {
  // B10
  test("has its topic, so that General and a topic differ", () => {
    const forum = { conversation: "-1009990002", kind: "group" as const };
    const general = message({ sender: ada, mentionsSelf: true, route: forum });
    const topic = message({ sender: ada, mentionsSelf: true, route: { ...forum, thread: "285" } });
    expect(key(general)).toBe("agent:main:telegram:group:-1009990002");
    expect(key(topic)).toBe("agent:main:telegram:group:-1009990002:thread:285");
  });

  // B24
  test("does not depend on the case of ids, unless the channel's ids do", () => {
    const folded = slackChannel({ conversation: "c0fake0001" });
    expect(key(folded)).toBe(key(slackChannel()));
    const exact = context({}, { caseSensitiveIds: true });
    expect(key(folded, exact)).not.toBe(key(slackChannel(), exact));
  });

  // B26
  test("does not depend on whether the platform called it a group or a channel", () => {
    expect(key(slackChannel({ kind: "group" }))).toBe(key(slackChannel({ kind: "channel" })));
  });
});

describe("the agent of a chat", () => {
  const bindings = [{ agent: "work", match: { channel: "slack" } }];

  test("is the bound one, else the default", () => {
    const to = context({ agents: { default: "home" }, bindings });
    expect(routeMessage(slackChannel(), to)).toMatchObject({
      agentId: "work",
      sessionKey: "agent:work:slack:group:c0fake0001",
      sender: { isOwner: true },
    });
    expect(routeMessage(telegramDirect, to)).toMatchObject({ agentId: "home" });
  });
});

describe("refusals and overheard talk", () => {
  test("pass through as the gate decided", () => {
    expect(routeMessage(message(), context())).toEqual({
      admit: false,
      reason: "stranger",
      notice: true,
    });
    const overheard = message({ sender: ada, route: { conversation: "-5", kind: "group" } });
    expect(routeMessage(overheard, context())).toMatchObject({ admit: true, buffer: true });
    const closed = context();
    const all = { ...closed, runtime: { ...closed.runtime, closed: "all" as const } };
    expect(routeMessage(telegramDirect, all)).toEqual({ admit: false, reason: "closed" });
  });
});

describe("a group that has moved", () => {
  const there = message({
    sender: { id: "333000333", name: "Guest" },
    mentionsSelf: true,
    route: { conversation: "-1009990004", kind: "group", thread: "7" },
  });
  const served = (id: string) => ({ channels: { telegram: { groups: { allow: [id] } } } });
  const formerly = "-500100";

  test("keeps its key, whichever of its ids is allowed", () => {
    for (const id of [formerly, "-1009990004"]) {
      expect(key(there, context(served(id), { formerly }))).toBe(
        "agent:main:telegram:group:-500100:thread:7",
      );
    }
    expect(key(there, context(served(formerly)))).toBe("group");
    expect(key(there, context(served("-500101"), { formerly }))).toBe("group");
  });

  test.each([{ peer: formerly }, { parentPeer: formerly }, { parentPeer: formerly, peer: "7" }])(
    "is bound by its former id: %j",
    (match) => {
      const bound = { ...served("*"), bindings: [{ agent: "club", match }] };
      expect(key(there, context(bound, { formerly }))).toContain("agent:club:");
      expect(key(there, context(bound))).toContain("agent:main:");
    },
  );
});
