import { describe, expect, it } from "vitest";
import { maxAttachmentBytes } from "#ext/slack/inbound-file.ts";
import { trustedUrl } from "#ext/slack/trusted-host.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { newServer, slackChannel, token, withSlack } from "./slack-rig.ts";

const rig = withSlack();
const content = new TextEncoder().encode("crab facts");

function storedFile(name = "notes é.txt", bytes: Uint8Array = content) {
  const { server } = rig();
  const file = server.workspace.addFile({ name, mimeType: "text/plain", bytes });
  return { id: file.id, url: String(server.wireFile(file)["url_private_download"]) };
}

describe("fetching an attachment", () => {
  it("brings the bytes by the private address or by the file's id", async () => {
    const { id, url } = storedFile();
    for (const ref of [url, id]) {
      const result = await rig().channel.fetchAttachment?.(ref);
      expect(result).toMatchObject({
        ok: true,
        value: { mimeType: "text/plain", name: "notes é.txt" },
      });
      expect(result?.ok === true && new TextDecoder().decode(result.value.bytes)).toBe(
        "crab facts",
      );
    }
  });

  it("stops reading after 20 MB, whatever the headers say", async () => {
    let pulled = 0;
    const endless: typeof fetch = () =>
      Promise.resolve(
        new Response(
          new ReadableStream<Uint8Array>({
            pull(controller) {
              pulled += 1;
              if (pulled > 60) controller.close();
              else controller.enqueue(new Uint8Array(1024 * 1024));
            },
          }),
          { headers: { "content-type": "application/octet-stream", "content-length": "10" } },
        ),
      );
    const channel = slackChannel("https://slack.com/api", {}, testPorts([], endless));
    const result = await channel.fetchAttachment?.(
      "https://files.slack.com/files-pri/T1-F1/big.bin",
    );
    expect(result?.ok === false && result.error).toBe("larger than 20 MB");
    expect(pulled).toBeLessThan(maxAttachmentBytes / (1024 * 1024) + 5);
  });

  it("says so when Slack shows its sign-in page instead", async () => {
    const server = newServer(["chat:write"]);
    await server.start();
    const file = server.workspace.addFile({ name: "a.txt", bytes: content });
    const result = await slackChannel(server.apiRoot).fetchAttachment?.(
      String(server.wireFile(file)["url_private"]),
    );
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("files:read") });
    await server.stop();
  });

  it("says why when it fails", async () => {
    const { server, channel } = rig();
    const { id, url } = storedFile();
    server.fail("download", { kind: "serverError", status: 500 });
    expect(await channel.fetchAttachment?.(url)).toEqual({
      ok: false,
      error: "Slack answered HTTP 500 for the file",
    });
    server.fail("download", { kind: "cut" });
    expect(await channel.fetchAttachment?.(url)).toMatchObject({ ok: false });
    server.fail("files.info", { kind: "rateLimited", retryAfter: 1 });
    expect(await channel.fetchAttachment?.(id)).toMatchObject({ ok: false });
    expect(await channel.fetchAttachment?.("F0FAKE9999")).toMatchObject({
      ok: false,
      error: expect.stringContaining("file_not_found"),
    });
  });

  it("never sends the token to another host, nor follows a redirect there", async () => {
    const asked: string[] = [];
    const redirecting: typeof fetch = (input) => {
      asked.push(new Request(input).url);
      return Promise.resolve(
        new Response(null, { status: 302, headers: { location: "https://evil.example/x" } }),
      );
    };
    const channel = slackChannel("https://slack.com/api", {}, testPorts([], redirecting));
    for (const ref of [
      "https://evil.example/files-pri/T1-F1/a",
      "https://files.slack.com/files-pri/T1-F1/a",
    ]) {
      const result = await channel.fetchAttachment?.(ref);
      expect(result).toMatchObject({ ok: false });
      expect(JSON.stringify(result)).not.toContain("evil.example");
    }
    expect(asked).toEqual(["https://files.slack.com/files-pri/T1-F1/a"]);
  });

  it("gives up after some redirects", async () => {
    const circling: typeof fetch = (_, init) => {
      expect(new Headers(init?.headers).get("authorization")).toBe(`Bearer ${token}`);
      return Promise.resolve(new Response(null, { status: 302, headers: { location: "/again" } }));
    };
    const channel = slackChannel("https://slack.com/api", {}, testPorts([], circling));
    expect(await channel.fetchAttachment?.("https://slack.com/f")).toMatchObject({ ok: false });
  });
});

describe("hosts that may see the token", () => {
  it.each([
    ["https://files.slack.com/a", "https://slack.com/api", true],
    ["https://slack.com/a", "https://slack.com/api", true],
    ["https://files.slack-gov.com/a", "https://slack-gov.com/api", true],
    ["https://slack-gov.com/a", "https://slack-gov.com/api", true],
    ["http://127.0.0.1:8080/a", "http://127.0.0.1:8080/api", true],
    ["http://127.0.0.1:8081/a", "http://127.0.0.1:8080/api", false],
    ["http://files.slack.com/a", "https://slack.com/api", false],
    ["https://files.slack.com:8443/a", "https://slack.com/api", false],
    ["https://files.slack.com.evil.example/a", "https://slack.com/api", false],
    ["https://evil.example/files.slack.com", "https://slack.com/api", false],
    ["https://user@files.slack.com/a", "https://slack.com/api", false],
    ["https://acme.slack.com/a", "https://slack.com/api", false],
    ["file:///etc/passwd", "https://slack.com/api", false],
    ["not a url", "https://slack.com/api", false],
  ])("%s with %s: %s", (address, root, trusted) => {
    expect(trustedUrl(address, root) !== null).toBe(trusted);
  });
});
