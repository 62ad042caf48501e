import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { newWord } from "#test/harness/words.ts";

/** What is not known of tokens and money is said to be unknown, never shown as none. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

test("what a server does not report is not called free", async () => {
  const [key, first, second] = [newWord(), newWord(), newWord()];
  home.other.when(first, { text: "ok", usage: null });
  home.model.when(second, { text: "ok", usage: { input: 321, output: 12 } });
  await home.api.chat("/usage full", { user: key });
  await home.api.chat("/model openai/test-model", { user: key });
  const { text } = await home.api.chat(first, { user: key });
  expect(text).toContain("tokens not reported");
  expect(text).toContain("cost not reported");
  await home.api.chat("/model default", { user: key });
  await home.api.chat(second, { user: key });
  for (const command of ["/usage", "/status"]) {
    const sum = (await home.api.chat(command, { user: key })).text;
    expect(sum).toContain("2 model calls, at least 321 tokens in");
    expect(sum).toContain("Not reported by the model's server: the tokens of 1 call.");
    expect(sum).toContain("Cost: not known (not reported by the model's server).");
  }
});

test("a call that is stopped is counted: as far as it was reported, else as unknown", async () => {
  const [user, word, other] = [newWord(), newWord(), newWord()];
  const never = new Promise<void>(() => {});
  const half = {
    text: "one two three",
    usage: { input: 4321 },
    gate: (delta: number) => (delta === 2 ? never : undefined),
  };
  home.model.when(word, half);
  await stopInTheMiddle(word, user);
  const known = await home.api.chat("/usage", { user });
  expect(known.text).toContain("1 model calls, 4321 tokens in");
  expect(known.text).toMatch(/Cost: \$0\.0/);
  await home.api.chat("/model openai/test-model", { user });
  home.other.when(other, half);
  await stopInTheMiddle(other, user);
  const unknown = await home.api.chat("/usage", { user });
  expect(unknown.text).toContain("2 model calls, at least 4321 tokens in");
  expect(unknown.text).toContain("Cost: not known (not reported by the model's server).");
});

/** Asks, and stops the answer once its beginning has been read. */
async function stopInTheMiddle(word: string, user: string): Promise<void> {
  let begun = false;
  for await (const { choices } of home.api.live(word, { user })) {
    if (begun || !choices[0]?.delta.content) continue;
    begun = true;
    expect((await home.api.chat("/stop", { user })).text).toContain("Stopped");
  }
  expect(begun).toBe(true);
}
