import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { newWord } from "#test/harness/words.ts";

/** What the content of a request to the OpenAI-compatible API may be. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

const picture = "data:image/png;base64,iVBORw0KGgo=";

// B81
describe("content parts", () => {
  const image = { type: "image_url", image_url: { url: picture } };

  test("bring a picture to the provider, with words and without", async () => {
    const word = newWord();
    home.model.when(word, { text: "a fish" });
    const asked = await home.api.chat([{ type: "text", text: word }, image]);
    expect(asked).toMatchObject({ status: 200, text: "a fish" });
    expect(home.model.asked(word)[0]?.messages[0]?.media).toEqual(["image/png"]);
    expect(JSON.stringify(home.model.asked(word)[0]?.body)).toContain("iVBORw0KGgo=");

    const before = home.model.server.calls.length;
    expect((await home.api.chat([image])).status).toBe(200);
    expect(home.model.server.calls[before]?.messages[0]?.media).toEqual(["image/png"]);
  });

  test("bring a picture to an OpenAI-type provider in its form", async () => {
    const [key, word] = [newWord(), newWord()];
    await home.api.chat("/model openai/gpt-4o", { user: key });
    expect((await home.api.chat([{ type: "text", text: word }, image], { user: key })).status).toBe(
      200,
    );
    expect(home.other.asked(word)[0]?.messages[0]?.media).toEqual(["image/png"]);
    expect(JSON.stringify(home.other.asked(word)[0]?.body)).toContain(
      `"image_url":{"url":"${picture}"`,
    );
  });

  test.each([
    ["nothing", []],
    ["blank text", "  \n"],
    ["blank parts", [{ type: "text", text: " " }]],
  ])("that say nothing are refused: %s", async (_name, content) => {
    const { status, body } = await home.api.chat(content);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      error: { type: "invalid_request_error", message: expect.any(String), param: "messages" },
    });
  });

  test.each([
    "http://127.0.0.1/",
    "http://[::ffff:7f00:1]/x.png",
    "http://169.254.169.254/latest/meta-data",
    "http://localhost:8080/x.png",
    "file:///etc/passwd",
  ])("with an internal address are refused: %s", async (url) => {
    const before = home.model.server.calls.length;
    const { status, body } = await home.api.chat([{ type: "image_url", image_url: { url } }]);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { type: "invalid_request_error" } });
    expect(home.model.server.calls).toHaveLength(before);
  });
});
