import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { streamedText } from "#test/harness/api-side.ts";
import { createLatch } from "#test/harness/latch.ts";
import { newWord } from "#test/harness/words.ts";

/** The OpenAI-compatible API, as the official client and plain requests see it. */
let home: Assistant;
let client: OpenAI;

beforeAll(async () => {
  home = await Assistant.start({
    config: { agents: { list: [{ id: "second" }] } },
    reading: ["gauge"],
  });
  client = new OpenAI({
    apiKey: home.api.vars.GATEWAY_TOKEN,
    baseURL: `${home.runtime.url}/v1`,
    maxRetries: 0,
  });
});

afterAll(async () => {
  await home.stop();
});

function user(content: string): { role: "user"; content: string } {
  return { role: "user", content };
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe("the official client", () => {
  test("gets a whole answer with what it cost", async () => {
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    const made = await client.chat.completions.create({ model: "pagurus", messages: [user(word)] });
    expect(made.choices[0]?.message).toMatchObject({ role: "assistant", content: answer });
    expect(made.choices[0]?.finish_reason).toBe("stop");
    expect(made.usage?.prompt_tokens).toBeGreaterThan(0);
    expect(made.usage?.completion_tokens).toBeGreaterThan(0);
  });

  // B80
  test.each([true, false])(
    "gets a stream in the right order, usage asked for: %s",
    async (usage) => {
      const [word, answer] = [newWord(), `${newWord()} ${newWord()}`];
      home.model.when(word, { text: answer });
      const stream = await client.chat.completions.create({
        model: "pagurus",
        messages: [user(word)],
        stream: true,
        ...(usage && { stream_options: { include_usage: true } }),
      });
      const chunks = await all(stream);
      expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe(answer);
      const last = usage ? chunks.pop() : undefined;
      expect(last?.choices).toEqual(usage ? [] : undefined);
      expect((last?.usage?.total_tokens ?? 0) > 0).toBe(usage);
      expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: "stop" });
      const middle = chunks.slice(1, -1).map((chunk) => chunk.choices[0]);
      expect(middle.every((choice) => choice?.finish_reason === null)).toBe(true);
      const heads = [...chunks, ...(last ? [last] : [])].map(({ id, model, created }) => ({
        id,
        model,
        created,
      }));
      expect(new Set(heads.map((head) => JSON.stringify(head))).size).toBe(1);
    },
  );

  test("streams with its own helper", async () => {
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    const runner = client.chat.completions.stream({ model: "pagurus", messages: [user(word)] });
    expect(await runner.finalContent()).toBe(answer);
  });

  test("lists the agents as models", async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(["pagurus", "pagurus/main", "pagurus/second"]);
  });

  test("is told of a wrong key and of a model that is not there", async () => {
    const stranger = client.withOptions({ apiKey: newWord() });
    const body = { model: "pagurus", messages: [user(newWord())] };
    await expect(stranger.chat.completions.create(body)).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(stranger.models.list()).rejects.toThrow(/\.dev\.vars; deployed, .*GATEWAY_TOKEN/);
    const missing = client.chat.completions.create({ ...body, model: `pagurus/${newWord()}` });
    await expect(missing).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("is told of a failure in the middle of a stream", async () => {
    const word = newWord();
    home.model.when(word, { status: 401 });
    const stream = await client.chat.completions.create({
      model: "pagurus",
      messages: [user(word)],
      stream: true,
    });
    await expect(all(stream)).rejects.toThrow(/key/);
  });
});

// B80
test("a request to an OpenAI-type provider asks for usage, and what it says is kept", async () => {
  const [key, word] = [newWord(), newWord()];
  home.other.when(word, { text: "ok", usage: { input: 321, output: 12 } });
  await home.api.chat("/model openai/test-model", { user: key });
  await home.api.chat(word, { user: key });
  expect(home.other.asked(word)[0]?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
  const { text } = await home.api.chat("/usage", { user: key });
  expect(text).toContain("321 tokens in");
  expect(text).toContain("12 out");
});

test("a usage line is the end of an answer, streamed or whole", async () => {
  const [key, first, second] = [newWord(), newWord(), newWord()];
  for (const word of [first, second]) {
    home.model.when(word, { text: `heard ${word}`, usage: { input: 777, output: 5 } });
  }
  await home.api.chat("/usage tokens", { user: key });
  const chunks = await home.api.stream(first, { user: key });
  expect(streamedText(chunks)).toBe(`heard ${first}\n\n_777 in, 5 out_`);
  expect((await home.api.chat(second, { user: key })).text).toBe(
    `heard ${second}\n\n_777 in, 5 out_`,
  );
  const { text } = await home.api.chat("/again", { user: key });
  expect(text).toBe(`heard ${second}\n\n_777 in, 5 out_`);
});

test.each([
  ["GET", "/v1/assistants"],
  ["POST", "/v1/embeddings"],
  ["GET", "/v1/chat/completions"],
])("%s %s, which there is not, is refused as OpenAI would", async (method, path) => {
  const response = await home.api.fetch(path, { method });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: {
      message: expect.stringContaining(`${method} ${path}`),
      type: "invalid_request_error",
      param: null,
      code: "unknown_url",
    },
  });
});

test("system and developer text is for its own request only", async () => {
  const [key, first, second, rule, order] = Array.from({ length: 5 }, newWord);
  const messages = [
    { role: "system", content: rule },
    { role: "developer", content: [{ type: "text", text: order }] },
    user(first!),
  ];
  await home.api.chat("", { user: key!, extra: { messages } });
  await home.api.chat(second, { user: key! });
  const [withRules] = home.model.asked(first!);
  expect(withRules?.system).toContain(rule);
  expect(withRules?.system).toContain(order);
  const [without] = home.model.asked(second!);
  expect(JSON.stringify(without?.body)).not.toContain(rule);
  expect(JSON.stringify(without?.body)).not.toContain(order);
  expect(JSON.stringify(without?.messages)).toContain(first);
});

test("a caller without a name brings the history along, one with a name only what is new", async () => {
  const [key, old, answer, fresh, again] = Array.from({ length: 5 }, newWord);
  const history = [user(old!), { role: "assistant", content: answer }, user(fresh!)];
  await home.api.chat("", { extra: { messages: history } });
  const [oneOff] = home.model.asked(fresh!);
  expect(oneOff?.messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", old],
    ["assistant", answer],
    ["user", fresh],
  ]);

  home.model.when(old!, { text: answer! });
  await home.api.chat(old, { headers: { "x-pagurus-session-key": key! } });
  const messages = [user(old!), { role: "assistant", content: answer }, user(again!)];
  await home.api.chat("", { headers: { "x-pagurus-session-key": key! }, extra: { messages } });
  expect(home.model.asked(again!)[0]?.messages).toHaveLength(3);
});

test("a caller who goes away does not end the turn", async () => {
  const [key, word, answer, next] = Array.from({ length: 4 }, newWord);
  const latch = createLatch();
  home.model.when(word!, async () => {
    await latch.pass();
    return { text: answer! };
  });
  const away = new AbortController();
  const gone = home.api.fetch("/v1/chat/completions", {
    method: "POST",
    signal: away.signal,
    body: JSON.stringify({ model: "pagurus", user: key, stream: true, messages: [user(word!)] }),
  });
  await latch.reached;
  away.abort();
  await expect(gone.then((response) => response.text())).rejects.toThrow();
  latch.open();
  await home.api.chat(next, { user: key! });
  expect(JSON.stringify(home.model.asked(next!)[0]?.messages)).toContain(answer);
});

test("an answer in several pieces is whole in a stream and without one", async () => {
  const [word, before, after] = [newWord(), newWord(), newWord()];
  home.tools.on("gauge", () => ({ body: "seven" }));
  const steps = [
    { text: `${before} comes first`, toolCalls: [{ name: "gauge", arguments: {} }] },
    { text: `${after} comes last` },
  ] as const;
  home.model.when(word, ...steps, ...steps);
  const whole = await home.api.chat(word);
  const streamed = streamedText(await home.api.stream(`${word}!`));
  expect(whole.text).toBe(`${before} comes first\n\n${after} comes last`);
  expect(streamed).toBe(whole.text);
});

test.each([
  ["two choices", { n: 2 }, "n"],
  ["tools of the caller", { tools: [{ type: "function", function: { name: "f" } }] }, "tools"],
  ["no messages", { messages: [] }, "messages"],
  ["only an answer", { messages: [{ role: "assistant", content: "x" }] }, "messages"],
  ["a model that is no text", { model: 5 }, "model"],
])("a request with %s is refused with the member's name", async (_name, extra, param) => {
  const { status, body } = await home.api.chat(newWord(), { extra });
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ error: { type: "invalid_request_error", param } });
});
