import { expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "#contract/json.ts";
import type { ModelMessage, ToolSchema, UserPart } from "#contract/model.ts";
import {
  answerOf,
  type ProviderFeature,
  type ProviderRig,
  run,
  streamContext,
  user,
} from "./provider-rig.ts";

/**
 * The suite's tests of what goes out: the double validates as the real API does, so a request that is
 * answered was a good one; what it says is looked at in the neutral view.
 */
export function requestTests(
  has: (feature: ProviderFeature) => boolean,
  rig: () => ProviderRig,
): void {
  historyTests(rig);
  if (has("tools")) toolTests(rig);
  if (has("images")) imageTests(rig);
}

/** Zod's own JSON Schema of everything that providers are known to refuse. */
function nastySchema(): JsonObject {
  interface Tree {
    readonly name: string;
    readonly children: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z.lazy(() =>
    z.object({ name: z.string(), children: z.array(tree) }),
  );
  const schema = z.strictObject({
    mode: z.literal("fast"),
    when: z.iso.datetime().optional().describe("When to start."),
    count: z.number().int().positive().max(10),
    pair: z.tuple([z.string(), z.number()]),
    tags: z.record(z.string().regex(/^[a-z]+$/), z.boolean()),
    target: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), id: z.uuid() }),
      z.object({ kind: z.literal("b"), email: z.email().nullable() }),
    ]),
    both: z.intersection(z.object({ x: z.number() }), z.object({ y: z.number().default(1) })),
    anything: z.unknown(),
    list: z.array(z.any()),
    code: z.string().regex(/^(?=.*\d)(?<year>\d{4})$/u),
    tree,
    maybe: z.union([z.string(), z.null()]),
  });
  return z.toJSONSchema(schema) as JsonObject;
}

const unions: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  anyOf: [
    { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  ],
};

function tool(name: string, parameters: JsonObject): ToolSchema {
  return { name, description: `Does ${name}.`, parameters };
}

function toolTests(rig: () => ProviderRig): void {
  it("cleans any schema to what the provider takes", async () => {
    const tools = [
      tool("nasty", nastySchema()),
      tool("unions", unions),
      tool("bare", {}),
      tool("list", { type: "object", properties: { all: { type: "array" } } }),
    ];
    answerOf(await run(rig(), { tools }));
    expect(rig().refusals()).toEqual([]);
    expect(rig().calls()[0]?.tools).toEqual(["nasty", "unions", "bare", "list"]);
  });

  it("gives odd tool names a form the provider takes, and back", async () => {
    const names = ["mcp:calendar.list", "mcp:calendar/list", "long".repeat(40)];
    const tools = names.map((name) => tool(name, { type: "object" }));
    answerOf(await run(rig(), { tools }));
    const wire = rig().calls()[0]!.tools;
    expect(new Set(wire).size).toBe(3);
    rig().play({ toolCalls: wire.map((name) => ({ name })) });
    const { calls } = answerOf(await run(rig(), { tools }));
    expect(calls.map(({ name }) => name)).toEqual(names);
    expect(rig().refusals()).toEqual([]);
  });

  // B33
  it("sends results in the order of their calls, whatever order they came in", async () => {
    const calls = [1, 2, 3].map((n) => toolCall(`c${n}`, `{"n":${n}}`));
    const results = [3, 1, 2].map((n) => ({
      callId: `c${n}`,
      name: "add",
      text: `result ${n}`,
      isError: n === 2,
    }));
    const messages: ModelMessage[] = [
      user("go"),
      { role: "assistant", content: calls },
      { role: "tool", results },
    ];
    answerOf(await run(rig(), { messages, tools: [tool("add", { type: "object" })] }));
    const seen = rig()
      .calls()[0]!
      .messages.flatMap((message) => message.toolResults);
    expect(seen.map(({ text }) => text)).toEqual([
      "result 1",
      expect.stringContaining("result 2"),
      "result 3",
    ]);
    expect(seen[1]?.isError).toBe(true);
    expect(rig().refusals()).toEqual([]);
  });

  // B31, B32, B34
  it("keeps a damaged history acceptable", async () => {
    const messages: ModelMessage[] = [
      user("hi"),
      {
        role: "assistant",
        content: [
          { type: "text", text: "  \n" },
          toolCall("toolu.F1|x", '{"pa'),
          toolCall("toolu.F2|x", ""),
        ],
      },
      { role: "tool", results: [{ callId: "toolu.F2|x", name: "add", text: "", isError: false }] },
      { role: "assistant", content: [] },
      { role: "user", content: [] },
      user("continue"),
    ];
    answerOf(await run(rig(), { messages, tools: [tool("add", { type: "object" })] }));
    expect(rig().refusals()).toEqual([]);
    const results = rig()
      .calls()[0]!
      .messages.flatMap((message) => message.toolResults);
    expect(results).toHaveLength(2);
    for (const { text } of results) expect(text.trim()).not.toBe("");
    expect(rig().calls()[0]?.userText).toContain("continue");
  });
}

function historyTests(rig: () => ProviderRig): void {
  it("sends a conversation in order", async () => {
    const messages: ModelMessage[] = [
      user("first"),
      { role: "assistant", content: [{ type: "text", text: "one" }] },
      user("second"),
    ];
    const system = [
      { text: "Rules.", cacheBoundary: true },
      { text: " ", cacheBoundary: false },
      { text: "Today.", cacheBoundary: false },
    ];
    answerOf(await run(rig(), { messages, system }));
    const seen = rig().calls()[0]!;
    expect(seen.messages.map(({ role, text }) => [role, text])).toEqual([
      ["user", "first"],
      ["assistant", "one"],
      ["user", "second"],
    ]);
    expect(seen.system).toMatch(/^Rules\.\n+Today\.$/);
    expect(rig().refusals()).toEqual([]);
  });

  it("drops thinking that another provider made", async () => {
    const secret = `thought ${crypto.randomUUID()}`;
    const messages: ModelMessage[] = [
      user("first"),
      {
        role: "assistant",
        content: [
          { type: "thinking", text: secret, signature: secret, provider: "elsewhere" },
          { type: "text", text: "one" },
        ],
      },
      user("second"),
    ];
    answerOf(await run(rig(), { messages }));
    expect(JSON.stringify(rig().calls()[0]!.body)).not.toContain(secret);
    expect(rig().refusals()).toEqual([]);
  });
}

const png = Uint8Array.from(atob("iVBORw0KGgo="), (character) => character.charCodeAt(0));

function imageTests(rig: () => ProviderRig): void {
  const image = (mediaKey: string, mimeType = "image/png"): UserPart => ({
    type: "image",
    mediaKey,
    mimeType,
    name: `${mediaKey}.png`,
  });
  const files = { here: { bytes: png, mimeType: "image/png", name: "here.png" } };

  // B81
  it("shows an image, with text and alone", async () => {
    const context = streamContext(undefined, files);
    const content: UserPart[] = [{ type: "text", text: "What is it?" }, image("here")];
    answerOf(await run(rig(), { messages: [{ role: "user", content }] }, context));
    answerOf(await run(rig(), { messages: [{ role: "user", content: [image("here")] }] }, context));
    const [both, alone] = rig().calls();
    expect(both?.messages[0]).toMatchObject({ text: "What is it?", media: ["image/png"] });
    expect(alone?.messages[0]?.media).toEqual(["image/png"]);
    expect(JSON.stringify(both?.body)).toContain("iVBORw0KGgo=");
    expect(rig().refusals()).toEqual([]);
  });

  it("names an image by its bytes, not by what it was called", async () => {
    const messages: ModelMessage[] = [{ role: "user", content: [image("here", "image/jpeg")] }];
    answerOf(await run(rig(), { messages }, streamContext(undefined, files)));
    expect(rig().calls()[0]?.messages[0]?.media).toEqual(["image/png"]);
  });

  it("says so when a file is gone or cannot be shown", async () => {
    const archive: UserPart = {
      type: "file",
      mediaKey: "zip",
      mimeType: "application/zip",
      name: "all.zip",
    };
    const messages: ModelMessage[] = [{ role: "user", content: [image("gone"), archive] }];
    const more = { zip: { bytes: png.slice(1), mimeType: "application/zip", name: "zip" } };
    answerOf(await run(rig(), { messages }, streamContext(undefined, more)));
    const seen = rig().calls()[0]!.messages[0]!;
    expect(seen.media).toEqual([]);
    expect(seen.text).toContain("gone.png");
    expect(seen.text).toContain("all.zip");
    expect(rig().refusals()).toEqual([]);
  });
}

function toolCall(id: string, raw: string) {
  return { type: "tool-call", id, name: "add", arguments: raw } as const;
}
