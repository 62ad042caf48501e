import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import type { ParseFault } from "#contract/channel.ts";
import { type ChannelSuite, type Rig, suiteNow as now, testPorts } from "./channel-rig.ts";

/** The suite's tests of `verify` and `parse`: fail closed, never throw. */
export function inboundTests(suite: ChannelSuite, rig: () => Rig): void {
  verifyTests(suite, rig);
  parseTests(suite, rig);
}

function verifyTests(suite: ChannelSuite, rig: () => Rig): void {
  const body = suite.messageBody("hello");
  const request = (secret: string | undefined) => suite.signedRequest({ body, secret, now });

  // B76
  it("accepts only a request signed with the configured secret", async () => {
    const secret = suite.signingSecret;
    const wrong = `${secret.slice(0, -1)}${secret.endsWith("x") ? "y" : "x"}`;
    expect((await rig().channel.verify(await request(secret))).ok).toBe(true);
    for (const bad of [undefined, "", wrong, secret.slice(0, -1), `${secret}x`]) {
      expect(await rig().channel.verify(await request(bad))).toMatchObject({ ok: false });
    }
  });

  // B76
  it("refuses every request when no secret is configured", async () => {
    for (const missing of [undefined, ""]) {
      const { apiRoot } = rig();
      const options = { apiRoot, signingSecret: missing, ports: testPorts() };
      const channel = createIfPossible(suite, options);
      // It is not there: there is nobody who could accept anything.
      if (channel === null) continue;
      for (const secret of [undefined, "", "x", suite.signingSecret]) {
        const result = await channel.verify(await request(secret));
        expect(result).toEqual({ ok: false, error: "not_configured" });
      }
    }
  });

  it("verifies any bytes without throwing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const good = { body: bytes, secret: suite.signingSecret, now };
        expect((await rig().channel.verify(await suite.signedRequest(good))).ok).toBe(true);
        const bad = { body: bytes, secret: "not-the-secret", now };
        expect((await rig().channel.verify(await suite.signedRequest(bad))).ok).toBe(false);
      }),
      { numRuns: 30 },
    );
  });
}

function createIfPossible(suite: ChannelSuite, options: Parameters<ChannelSuite["create"]>[0]) {
  try {
    return suite.create(options);
  } catch (error) {
    expect(error).toBeInstanceOf(z.ZodError);
    return null;
  }
}

/** With or without words for whoever reads the refusal. */
function reasonOf(fault: ParseFault): string {
  return typeof fault === "string" ? fault : fault.reason;
}

function parseTests(suite: ChannelSuite, rig: () => Rig): void {
  const parse = async (body: string | Uint8Array) =>
    rig().channel.parse(await suite.signedRequest({ body, secret: suite.signingSecret, now }));

  it("parses a person's message", async () => {
    const result = await parse(suite.messageBody("hello there"));
    if (!result.ok || result.value.kind !== "messages") throw new Error("no message");
    const [message] = result.value.messages;
    expect(message?.text).toBe("hello there");
    expect(message?.channel).toBe(rig().channel.id);
    expect(message?.account).toBe(rig().channel.account);
    // Without a platform that numbers messages, whoever accepts them does.
    const isNumbered = suite.double !== undefined;
    expect(message?.deliveryId !== "").toBe(isNumbered);
    expect(message?.platformMessageId !== "").toBe(isNumbered);
    expect(await parse(suite.messageBody("hello there"))).toEqual(result);
  });

  it("never throws on any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const result = await parse(JSON.stringify(value));
        if (!result.ok) expect(reasonOf(result.error)).toBe("malformed");
        else expect(result.value.kind).not.toBe("messages");
      }),
      { numRuns: 200 },
    );
  });

  it("never throws on a message with any part of it replaced", async () => {
    const message: unknown = JSON.parse(suite.messageBody("hello"));
    const paths = jsonPaths(message);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, value) => {
        const result = await parse(JSON.stringify(replaceAt(message, path, value)));
        if (!result.ok) expect(reasonOf(result.error)).toBe("malformed");
      }),
      { numRuns: 300 },
    );
  });

  it("calls what is no JSON malformed", async () => {
    const bodies = ["", "{", "\u0000", "nonsense", new Uint8Array([0xff, 0xfe, 0x80])];
    for (const body of bodies) {
      const result = await parse(body);
      expect(result.ok ? "taken" : reasonOf(result.error)).toBe("malformed");
    }
  });
}

type JsonPath = readonly (string | number)[];

function jsonPaths(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value !== "object" || value === null) return [path];
  const children = Object.entries(value).flatMap(([key, child]) =>
    jsonPaths(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? children : [path, ...children];
}

function replaceAt(value: unknown, path: JsonPath, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as Record<string, unknown>) };
  Reflect.set(copy, key, replaceAt(Reflect.get(copy, key), rest, replacement));
  return copy;
}
