import { describe, expect, it } from "vitest";
import { sendContext } from "#test/contract/channel-rig.ts";
import {
  newServer,
  channelId,
  directId,
  directRoute,
  owner,
  partOf,
  render,
  slackChannel,
  threadRoute,
  threadTs,
  withSlack,
} from "./slack-rig.ts";

const rig = withSlack();
const find = (id: string, route = directRoute) => rig().channel.reconcile?.(id, route);

async function post(deliveryId: string, route = directRoute): Promise<string> {
  const part = partOf({ text: "the answer" });
  const result = await rig().channel.send(part, route, sendContext({ deliveryId }));
  return result.status === "sent" ? result.messageId : "";
}

function chatter(count: number, channel = directId, thread?: string): void {
  for (let index = 0; index < count; index += 1) {
    rig().server.workspace.add({ channel, user: owner, text: `line ${index}`, threadTs: thread });
  }
}

describe("finding a delivery again", () => {
  it("finds a post whose answer was lost, and no other", async () => {
    rig().server.fail("chat.postMessage", { kind: "cut", applied: true });
    await post("turn-1:0");
    const [message] = rig().server.visible(directId);
    expect(await find("turn-1:0")).toEqual({ status: "delivered", messageId: message?.ts });
    expect(await find("turn-1:1")).toEqual({ status: "absent" });
    rig().server.fail("chat.postMessage", { kind: "cut" });
    await post("turn-2:0");
    expect(await find("turn-2:0")).toEqual({ status: "absent" });
  });

  it("looks into the thread, past other people's messages", async () => {
    rig().server.workspace.add({ channel: channelId, user: owner, text: "head", ts: threadTs });
    chatter(230, channelId, threadTs);
    const id = await post("turn-3:0", threadRoute);
    expect(await find("turn-3:0", threadRoute)).toEqual({ status: "delivered", messageId: id });
    expect(await find("turn-3:0", directRoute)).toEqual({ status: "absent" });
    rig().server.workspace.add({ channel: directId, user: owner, text: "unmarked" });
    expect(await find("turn-3:0", directRoute)).toEqual({ status: "absent" });
  });

  it("finds it after an edit of the message", async () => {
    await post("turn-4:0");
    const [message] = rig().server.visible(directId);
    const [part] = render({ text: "edited" });
    if (part && message) {
      await rig().channel.edit?.(message.ts, part, directRoute, sendContext());
    }
    expect(await find("turn-4:0")).toEqual({ status: "delivered", messageId: message?.ts });
  });

  it("says unknown when there is more than it reads", async () => {
    await post("turn-5:0");
    chatter(1001);
    expect(await find("turn-5:0")).toEqual({ status: "unknown" });
  });

  it("says unknown where a file may be what was sent", async () => {
    const files = [{ id: "F0FAKE0001" }];
    const ours = { channel: directId, user: "U0FAKEBOT1", botId: "B0FAKEBOT1", text: "", files };
    rig().server.workspace.add({ channel: directId, user: owner, text: "", files });
    expect(await find("turn-6:0")).toEqual({ status: "absent" });
    rig().server.workspace.add(ours);
    expect(await find("turn-6:0")).toEqual({ status: "unknown" });
  });

  it("says unknown when the history cannot be read", async () => {
    const nowhere = { ...directRoute, conversation: "D0FAKE0009" };
    expect(await find("x", nowhere)).toEqual({ status: "unknown" });
    for (const kind of ["cut", "serverError", "rateLimited"] as const) {
      rig().server.fail("conversations.history", { kind });
      expect(await find("x")).toEqual({ status: "unknown" });
    }
    const strange = { kind: "proxy", status: 200, body: '{"ok":true}' } as const;
    rig().server.fail("conversations.history", strange);
    expect(await find("x")).toEqual({ status: "unknown" });
  });

  it("says unknown without the permission to read", async () => {
    const server = newServer(["chat:write"]);
    await server.start();
    const channel = slackChannel(server.apiRoot);
    expect(await channel.reconcile?.("x", directRoute)).toEqual({ status: "unknown" });
    await server.stop();
  });
});
