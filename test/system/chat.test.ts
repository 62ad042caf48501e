import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { Command, type CommandOptions } from "#test/harness/command.ts";
import { createLatch } from "#test/harness/latch.ts";
import { newCode, newWord } from "#test/harness/words.ts";

/** `npm run chat` and `npm run setup` as scripts use them, against the real Worker. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

function run(script: "chat" | "setup", options: CommandOptions = {}): Command {
  return new Command(`src/cli/${script}.ts`, {
    ...options,
    arguments: ["--url", home.runtime.url, ...(options.arguments ?? [])],
    environment: { ...home.api.vars, ...options.environment },
  });
}

describe("a message on standard input", () => {
  test("is answered on standard output, and nothing else is there", async () => {
    const [word, answer] = [newWord(), `${newWord()} ${newWord()}`];
    home.model.when(word, { text: answer });
    const command = run("chat", { input: `${word}\n` });
    expect(await command.ended).toBe(0);
    expect(command).toMatchObject({ stdout: `${answer}\n`, stderr: "" });
  });

  test("is one message, however many lines it has", async () => {
    const word = newWord();
    const command = run("chat", { input: `one\n\n${word}\n` });
    expect(await command.ended).toBe(0);
    expect(home.model.asked(word)).toHaveLength(1);
    expect(home.model.asked(word)[0]?.userText).toContain(`one\n\n${word}`);
  });

  test("that is /quit asks the assistant nothing, and what stands above it is the message", async () => {
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    const nothing = run("chat", { input: "/quit\n" });
    expect(await nothing.ended).toBe(0);
    expect(nothing).toMatchObject({ stdout: "", stderr: "" });
    const command = run("chat", { input: `${word}\n/quit\n` });
    expect(await command.ended).toBe(0);
    expect(command.stdout).toBe(`${answer}\n`);
    expect(home.model.asked(word)[0]?.userText).not.toContain("/quit");
  });

  test("that is empty is no message", async () => {
    expect(await run("chat", { input: "  \n" }).ended).toBe(1);
  });
});

describe("a message as argument", () => {
  test("continues the conversation that is named, and no other", async () => {
    const [session, first, second, third] = [newWord(), newWord(), newWord(), newWord()];
    const say = (text: string, name: string) =>
      run("chat", { arguments: ["--session", name, text] }).ended;
    expect(await say(first, session)).toBe(0);
    expect(await say(second, session)).toBe(0);
    expect(await say(third, newWord())).toBe(0);
    const history = (word: string) => JSON.stringify(home.model.asked(word)[0]?.messages);
    expect(history(second)).toContain(first);
    expect(history(third)).not.toContain(first);
  });

  test("may be a command", async () => {
    const command = run("chat", { arguments: ["/whoami"] });
    expect(await command.ended).toBe(0);
    expect(command.stdout).not.toBe("");
  });
});

describe("the model of a conversation", () => {
  const ask = async (user: string): Promise<unknown> =>
    (await home.api.fetch(`/conversation?user=${user}&model=pagurus`)).json();

  test("is the one chosen there; asking makes no conversation", async () => {
    const [user, other] = [newWord(), newWord()];
    await home.api.chat("/model openai/other-model", { user });
    expect(await ask(user)).toEqual({
      model: { ok: true, value: "openai/other-model" },
      key: `agent:main:api:direct:${user}`,
    });
    const untouched = await ask(other);
    expect(untouched).toMatchObject({ model: { ok: true } });
    expect(untouched).not.toHaveProperty("key");
    expect(untouched).not.toMatchObject({ model: { value: "openai/other-model" } });
    expect(await home.api.sessions()).not.toContain(`agent:main:api:direct:${other}`);
  });

  test("is not told to anybody without the token", async () => {
    const response = await home.runtime.fetch("/conversation?user=terminal");
    expect(response.status).toBe(401);
  });
});

describe("an answer that cannot be given", () => {
  test("is an error with its reason", async () => {
    const word = newWord();
    home.model.when(word, { status: 401 });
    const command = run("chat", { input: word });
    expect(await command.ended).toBe(1);
    expect(command.stdout).toBe("");
    expect(command.stderr.trim()).not.toBe("");
  });

  test("for a wrong token shows no token", async () => {
    const wrong = newCode(24);
    const command = run("chat", { input: "hello", environment: { GATEWAY_TOKEN: wrong } });
    expect(await command.ended).toBe(1);
    expect(command.stderr).toContain("token");
    expect(command.stderr).not.toContain(wrong);
  });

  test("since nobody is there says how to start it", async () => {
    const command = new Command("src/cli/chat.ts", {
      arguments: ["--url", "http://127.0.0.1:9", "hello"],
      environment: home.api.vars,
    });
    expect(await command.ended).toBe(1);
    expect(command.stderr).toContain("npm start");
  });
});

describe("a restart in the middle of an answer", () => {
  test("costs neither the answer nor a second one", async () => {
    const [word, answer] = [newWord(), `${newWord()} ${newWord()}`];
    const latch = createLatch();
    home.model.when(
      word,
      { text: answer, gate: (delta) => (delta > 1 ? latch.pass() : undefined) },
      { text: answer },
    );
    const command = run("chat", { input: word });
    await latch.reached;
    await home.restart();
    latch.open();
    expect(await command.ended).toBe(0);
    expect(command.stdout).toBe(`${answer}\n`);
    expect(home.turns("agent:main:api:direct:terminal").at(-1)).toBeDefined();
  });
});

describe("setup", () => {
  test("lets the Worker register itself and prints what came of it", async () => {
    const command = run("setup");
    const code = await command.ended;
    expect(command.stdout).toContain("telegram");
    expect(command.stdout).toContain("slack");
    // A loopback address is none that Telegram would call: that must be said, not hidden.
    expect(code).toBe(command.stdout.includes("✗") ? 1 : 0);
    for (const secret of home.secrets)
      expect(command.stdout + command.stderr).not.toContain(secret);
  });

  test("with a wrong token says whose it is not", async () => {
    const command = run("setup", { environment: { GATEWAY_TOKEN: newCode(24) } });
    expect(await command.ended).toBe(1);
    expect(command.stderr).toContain("GATEWAY_TOKEN");
  });
});
