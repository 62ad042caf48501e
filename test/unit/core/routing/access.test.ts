import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelConfig, configSchema, type Config } from "#contract/config.ts";
import type { ParsedMessage } from "#contract/message.ts";
import type { Owner } from "#contract/runtime-config.ts";
import { checkAccess, type AccessPolicy } from "#core/routing/access.ts";
import { anyContent, message } from "./messages.ts";

const owners: Owner[] = [{ channel: "telegram", id: "111000111" }];
const owner = { id: "111000111", name: "Ada" };
const stranger = { id: "222000222", name: "Sam" };
const group = { conversation: "-1009990001", kind: "group" } as const;

function policy(
  document: { channels?: unknown; session?: unknown } = {},
  change: Partial<AccessPolicy> = {},
): AccessPolicy {
  const config: Config = configSchema.parse(document);
  return {
    channel: channelConfig(config, "telegram"),
    identityLinks: config.session.identityLinks,
    owners,
    closed: [],
    caseSensitiveIds: false,
    ...change,
  };
}
const telegram = (settings: unknown) => policy({ channels: { telegram: settings } });

describe("direct chats", () => {
  test("are for owners by default; a stranger gets a notice", () => {
    expect(checkAccess(message({ sender: owner }), policy())).toEqual({
      admit: true,
      sender: { ...owner, isOwner: true },
    });
    expect(checkAccess(message({ sender: stranger }), policy())).toEqual({
      admit: false,
      reason: "stranger",
      notice: true,
    });
  });

  test.each(["222000222", 222000222])("admit whom the allow list names by %j", (id) => {
    const listed = telegram({ dmPolicy: "allowlist", allowFrom: [id] });
    expect(checkAccess(message({ sender: stranger }), listed)).toEqual({
      admit: true,
      sender: { ...stranger, isOwner: false },
    });
    expect(checkAccess(message({ sender: { ...stranger, id: "333000333" } }), listed).admit).toBe(
      false,
    );
    expect(checkAccess(message({ sender: owner }), listed).admit).toBe(true);
  });

  test("ignore the allow list under the policy for owners", () => {
    const listed = telegram({ allowFrom: ["222000222"] });
    expect(checkAccess(message({ sender: stranger }), listed).admit).toBe(false);
  });

  test("admit everybody when open, nobody when disabled", () => {
    const open = telegram({ dmPolicy: "open" });
    expect(checkAccess(message({ sender: stranger }), open)).toMatchObject({
      admit: true,
      sender: { isOwner: false },
    });
    const off = telegram({ dmPolicy: "disabled" });
    expect(checkAccess(message({ sender: owner }), off)).toEqual({
      admit: false,
      reason: "disabled",
    });
    expect(checkAccess(message({ sender: owner }), telegram({ enabled: false }))).toEqual({
      admit: false,
      reason: "disabled",
    });
  });
});

describe("owners", () => {
  test("are known through links that name their channel", () => {
    const links = {
      session: { identityLinks: { ada: ["telegram:111000111", "slack:U0FAKE0001"] } },
    };
    const onSlack = (id: string) =>
      message({ sender: { id, name: "A" }, route: { channel: "slack" } });
    expect(checkAccess(onSlack("u0fake0001"), policy(links))).toMatchObject({
      sender: { isOwner: true },
    });
    expect(checkAccess(onSlack("U0FAKE0002"), policy(links)).admit).toBe(false);
  });

  test("are not made by a link that holds a bare id", () => {
    const links = { session: { identityLinks: { ada: ["telegram:111000111", "555"] } } };
    expect(checkAccess(message({ sender: { id: "555", name: "E" } }), policy(links)).admit).toBe(
      false,
    );
  });

  test("are not made by the same id on another channel, a name, or an empty id", () => {
    const elsewhere = message({ sender: owner, route: { channel: "slack" } });
    expect(checkAccess(elsewhere, policy()).admit).toBe(false);
    const named = message({
      sender: { id: "222000222", name: "111000111", username: "111000111" },
    });
    expect(checkAccess(named, policy()).admit).toBe(false);
    const nobody = policy({}, { owners: [{ channel: "telegram", id: "" }] });
    expect(checkAccess(message({ sender: { id: "", name: "" } }), nobody).admit).toBe(false);
  });

  test("are told apart by case where the channel does", () => {
    const ids = { owners: [{ channel: "telegram", id: "AbC" }] };
    const lower = message({ sender: { id: "abc", name: "A" } });
    expect(checkAccess(lower, policy({}, ids)).admit).toBe(true);
    expect(checkAccess(lower, policy({}, { ...ids, caseSensitiveIds: true })).admit).toBe(false);
  });
});

describe("groups", () => {
  // B16
  test.each([-1009990001, "-1009990001", "*"])("are served when the list holds %j", (id) => {
    const served = telegram({ groups: { allow: [id] } });
    const mention = message({ sender: stranger, mentionsSelf: true, route: group });
    expect(checkAccess(mention, served)).toEqual({
      admit: true,
      sender: { ...stranger, isOwner: false },
    });
  });

  test("that are not listed are served for owners only, and strangers get no notice", () => {
    const mention = { mentionsSelf: true, route: group };
    expect(checkAccess(message({ sender: owner, ...mention }), policy()).admit).toBe(true);
    expect(checkAccess(message({ sender: stranger, ...mention }), policy())).toEqual({
      admit: false,
      reason: "group",
    });
  });

  const served = telegram({ groups: { allow: ["*"] } });
  test.each<[string, Partial<ParsedMessage>, boolean]>([
    ["talk", { sender: stranger }, true],
    ["an owner's talk", { sender: owner }, true],
    ["a mention", { sender: stranger, mentionsSelf: true }, false],
    ["an answer to us", { sender: stranger, replyTo: { messageId: "1", fromSelf: true } }, false],
    [
      "an answer to others",
      { sender: stranger, replyTo: { messageId: "1", fromSelf: false } },
      true,
    ],
    ["a button", { sender: stranger, action: "a:1" }, false],
    ["an owner's command", { sender: owner, text: "/new" }, false],
    ["an owner's command for another bot", { sender: owner, text: "/new@other_bot" }, true],
    ["an owner's bare stop", { sender: owner, text: "stop" }, false],
    ["a forwarded command", { sender: owner, text: "/new", forwarded: true }, true],
    ["a stranger's command", { sender: stranger, text: "/new" }, true],
    ["a stranger's /help", { sender: stranger, text: "/help" }, true],
    ["an unknown command", { sender: owner, text: "/frobnicate" }, true],
  ])("with the mention gate take %s as context only: %#", (_what, change, buffered) => {
    const admission = checkAccess(message({ ...change, route: group }), served);
    expect(admission).toMatchObject({ admit: true });
    expect("buffer" in admission).toBe(buffered);
  });

  test("without the mention gate answer everything", () => {
    const chatty = telegram({ groups: { allow: ["*"], requireMention: false } });
    expect(checkAccess(message({ sender: stranger, route: group }), chatty)).toEqual({
      admit: true,
      sender: { ...stranger, isOwner: false },
    });
  });
});

describe("whatever the update looks like", () => {
  const outsider = fc.record({
    id: fc.oneof(fc.string(), fc.constantFrom("111000112", "11100011", "111000111 ", "@111000111")),
    name: fc.constantFrom("Ada", "111000111", "telegram:111000111"),
  });
  const kind = fc.constantFrom("direct" as const, "group" as const, "channel" as const);

  // B17
  test("nobody but an owner gets in by default", () => {
    fc.assert(
      fc.property(
        anyContent,
        outsider,
        kind,
        fc.string(),
        (content, sender, chat, conversation) => {
          const update = message({ ...content, sender, route: { kind: chat, conversation } });
          expect(checkAccess(update, policy()).admit).toBe(false);
        },
      ),
    );
  });

  // B17
  test("who gets in depends on who and where, never on what is sent", () => {
    const document = {
      channels: {
        telegram: { dmPolicy: "allowlist", allowFrom: ["7"], groups: { allow: ["-5"] } },
      },
    };
    const ids = fc.constantFrom("111000111", "7", "8");
    const places = fc.constantFrom("-5", "-6");
    fc.assert(
      fc.property(anyContent, ids, kind, places, (content, id, chat, conversation) => {
        const route = { kind: chat, conversation };
        const plain = checkAccess(message({ sender: { id, name: "S" }, route }), policy(document));
        const other = checkAccess(
          message({ ...content, sender: { id, name: "S" }, route }),
          policy(document),
        );
        const gate = ({ admit, ...rest }: typeof plain) =>
          "buffer" in rest ? { admit } : { admit, ...rest };
        const where = (admission: typeof plain) =>
          admission.admit ? { admit: true, sender: admission.sender } : gate(admission);
        expect(where(other)).toEqual(where(plain));
      }),
    );
  });

  test("nobody gets in where access could not be read", () => {
    fc.assert(
      fc.property(anyContent, kind, (content, chat) => {
        const update = message({ ...content, sender: owner, route: { kind: chat } });
        const open = telegram({
          dmPolicy: "open",
          groups: { allow: ["*"], requireMention: false },
        });
        for (const closed of ["all", ["slack", "Telegram"]] as const) {
          expect(checkAccess(update, { ...open, closed })).toEqual({
            admit: false,
            reason: "closed",
          });
        }
        expect(checkAccess(update, { ...open, closed: ["slack"] }).admit).toBe(true);
      }),
    );
  });

  test("only a person met in a direct chat is ever told", () => {
    fc.assert(
      fc.property(anyContent, outsider, kind, (content, sender, chat) => {
        const admission = checkAccess(
          message({ ...content, sender, route: { kind: chat } }),
          policy(),
        );
        expect("notice" in admission).toBe(chat === "direct");
      }),
    );
  });
});
