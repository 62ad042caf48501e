import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { configSchema } from "#contract/config.ts";
import type { JsonObject } from "#contract/json.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { ToolContext } from "#contract/tool.ts";
import { createCustomTools } from "#ext/custom-http/index.ts";
import { DoubleServer, type RecordedRequest, type Reply } from "#test/doubles/double-server.ts";

class Endpoint extends DoubleServer {
  reply: Reply | ((request: RecordedRequest) => Reply) = { body: "ok" };
  protected override handle(request: RecordedRequest): Reply {
    return typeof this.reply === "function" ? this.reply(request) : this.reply;
  }
}

const server = new Endpoint("endpoint");
const logged: JsonObject[] = [];
const ports: ExtensionPorts = {
  fetch: (input, init) => fetch(input, init),
  now: () => 0,
  newId: () => "id",
  log: { info() {}, warn: (_event, fields) => logged.push(fields ?? {}), error() {} },
  sleep: () => Promise.resolve(),
};
beforeAll(() => server.start());
afterAll(() => server.stop());
afterEach(() => {
  server.clear();
  server.reply = { body: "ok" };
  logged.length = 0;
});

function make(change: object = {}) {
  const entry = {
    name: "lamp",
    description: "Switches the lamp",
    url: `${server.url}/lamp`,
    ...change,
  };
  const { custom } = configSchema.parse({ tools: { custom: [entry] } }).tools;
  const [made] = createCustomTools(custom, ports);
  if (!made) throw new Error("no tool");
  return made;
}
const context = (signal = new AbortController().signal) =>
  ({ operationId: "turn-1:call-1", signal }) as ToolContext;

describe("a call", () => {
  test("posts its arguments under one key per operation", async () => {
    const key = randomUUID();
    const input = { room: randomUUID(), level: 3 };
    const headers = { authorization: `Bearer ${key}`, "Idempotency-Key": "mine" };
    server.reply = { headers: { "content-type": "text/plain" }, body: "lamp is on" };
    const outcome = await make({ headers }).execute(input, context());
    expect(outcome).toEqual({ text: "lamp is on", untrusted: true });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      path: "/lamp",
      json: input,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "turn-1:call-1",
      },
    });
  });

  test("says when the answer is empty", async () => {
    server.reply = { body: "" };
    expect((await make().execute({}, context())).text).toBe("(empty answer)");
  });

  test("cuts a long answer at 100,000 bytes, never inside a character", async () => {
    server.reply = { body: "é".repeat(60_000) };
    const { text } = await make().execute({}, context());
    const [kept = ""] = text.split("\n");
    expect(kept).toBe("é".repeat(50_000));
    expect(text).toContain("cut after 100000 bytes");
    server.reply = { body: `x${"é".repeat(60_000)}` };
    expect((await make().execute({}, context())).text).not.toContain("\ufffd");
  });

  test.each([400, 404, 500, 503])("gives an error for HTTP %i with its text", async (status) => {
    server.reply = { status, body: "no such room" };
    const outcome = await make().execute({}, context());
    expect(outcome).toEqual({
      text: `HTTP ${status}\nno such room`,
      isError: true,
      untrusted: true,
    });
    expect(server.requests).toHaveLength(1);
  });

  // B78
  test("does not follow a redirect, which would carry its keys along", async () => {
    server.reply = { status: 302, headers: { location: `${server.url}/elsewhere` } };
    const outcome = await make({ headers: { "x-key": "fake-key-value" } }).execute({}, context());
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining("redirect") });
    expect(server.requests.map(({ path }) => path)).toEqual(["/lamp"]);
  });

  // B79
  test("never shows the operator's keys, whatever the endpoint echoes", async () => {
    const [header, query] = [randomUUID(), randomUUID()];
    const change = {
      url: `${server.url}/lamp?key=${query}`,
      headers: { authorization: `Bearer ${header}`, accept: "application/json" },
    };
    server.reply = ({ headers, path }) => ({
      status: 401,
      body: JSON.stringify({ path, headers }),
    });
    const { text } = await make(change).execute({}, context());
    expect(text).toContain("application/json");
    for (const secret of [header, query]) expect(text).not.toContain(secret);
  });
});

describe("a call that gets no answer", () => {
  test("says that the outcome is not known, and logs without keys", async () => {
    server.reply = { cut: true };
    const key = randomUUID();
    const outcome = await make({ url: `${server.url}/lamp?key=${key}` }).execute({}, context());
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining("not known") });
    expect(logged).toHaveLength(1);
    expect(JSON.stringify([logged, outcome])).not.toContain(key);
  });

  test("ends after its time limit", async () => {
    server.gate = ({ phase }) => (phase === "received" ? new Promise(() => {}) : undefined);
    const outcome = await make({ timeoutSeconds: 0.05 }).execute({}, context());
    server.gate = () => {};
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining("0.05 seconds") });
  });

  test("ends when the turn is stopped", async () => {
    const stop = new AbortController();
    server.gate = ({ phase }) => {
      if (phase !== "received") return undefined;
      stop.abort(new Error("stopped"));
      return new Promise(() => {});
    };
    const running = make().execute({}, context(stop.signal));
    await expect(running).rejects.toThrow("stopped");
    server.gate = () => {};
  });
});

describe("the tool of an entry", () => {
  const parameters = {
    type: "object",
    properties: { room: { type: "string" }, level: { type: "integer", minimum: 0 } },
    required: ["room"],
    additionalProperties: false,
  };

  test("takes the arguments its schema describes", () => {
    const { parameters: schema } = make({ parameters });
    expect(schema.safeParse({ room: "a", level: 2 }).success).toBe(true);
    for (const wrong of [{}, { room: 1 }, { room: "a", level: -1 }, { room: "a", x: 1 }]) {
      expect(schema.safeParse(wrong).success).toBe(false);
    }
    expect(z.toJSONSchema(schema)).toMatchObject({ type: "object", required: ["room"] });
  });

  test("is the owner's and not repeated unless the entry says so", () => {
    expect(make()).toMatchObject({ name: "lamp", level: "owner-only", replay: "unsafe" });
    expect(make({ level: "public", replay: "safe" })).toMatchObject({
      level: "public",
      replay: "safe",
    });
  });
});
