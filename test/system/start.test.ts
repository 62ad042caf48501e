import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AnthropicServer } from "#test/doubles/anthropic-server.ts";
import { Command } from "#test/harness/command.ts";
import { copyProject } from "#test/harness/project-copy.ts";
import { eventually, temporaryDirectory } from "#test/harness/wait.ts";
import { newCode, newWord } from "#test/harness/words.ts";

/**
 * `npm start` as a newcomer has it: a copy of the project without any settings or state, a port, and
 * nothing else. Slow (wrangler builds the Worker each time), so it is few tests that walk far.
 */
const home = temporaryDirectory();
const model = new AnthropicServer();
const port = 20_000 + Math.floor(Math.random() * 20_000);
const running: Command[] = [];

beforeAll(async () => {
  await model.start();
  copyProject(home.path);
});

afterAll(async () => {
  for (const command of running) command.signal("SIGTERM");
  await Promise.all(running.map((command) => command.ended));
  await model.stop();
  // What was killed may still be writing for a moment.
  await eventually(() => {
    home.remove();
    return true;
  });
});

async function start(environment: Record<string, string> = {}): Promise<[Command, string]> {
  const command = new Command(join(home.path, "src/cli/start.ts"), {
    directory: home.path,
    environment: { PORT: `${port}`, ...environment },
  });
  running.push(command);
  await command.says("Ctrl-C", 90_000);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(command.stdout)?.[0] ?? "";
  return [command, url];
}

async function chat(text: string): Promise<Command> {
  const script = join(home.path, "src/cli/chat.ts");
  const command = new Command(script, { arguments: [text], directory: home.path });
  expect([await command.ended, command.stderr]).toEqual([0, ""]);
  return command;
}

async function isAlive(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(3_000);
  return fetch(`${url}/healthz`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

test.each(["abc", "70000"])("PORT=%s is refused before anything is made", async (wish) => {
  const script = join(home.path, "src/cli/start.ts");
  const command = new Command(script, { directory: home.path, environment: { PORT: wish } });
  expect(await command.ended).toBe(1);
  expect(command.stderr).toMatch(new RegExp(`^PORT is "${wish}".*\n$`));
  expect(command.stdout).toBe("");
  for (const made of [".dev.vars", ".wrangler"]) {
    expect(existsSync(join(home.path, made))).toBe(false);
  }
});

describe("the first minute", { timeout: 300_000 }, () => {
  test("needs no account, no key and no answer to any question", async () => {
    const [word, thing] = [newWord(), newWord()];
    const [command, url] = await start();
    expect(command.stdout).toContain("npm run chat");
    expect((await chat("hello")).stdout).toContain("demo");
    await chat(`remember that my ${thing} is called ${word}`);

    const settings = join(home.path, ".dev.vars");
    const token = parseEnv(readFileSync(settings, "utf8"))["GATEWAY_TOKEN"] ?? "";
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    expect(command.stdout + command.stderr).not.toContain(token);

    const second = new Command(join(home.path, "src/cli/start.ts"), { directory: home.path });
    expect(await second.ended).toBe(1);
    expect(second.stderr).toContain(`running already, at ${url}`);

    const shown = new Command(join(home.path, "src/cli/start.ts"), {
      arguments: ["--show-token"],
      directory: home.path,
    });
    expect([await shown.ended, shown.stdout]).toEqual([0, `GATEWAY_TOKEN=${token}\n`]);

    command.signal("SIGINT");
    expect(await command.ended).toBe(0);
    expect(command.stderr).toBe("");
    expect(await isAlive(url)).toBe(false);
    expect(existsSync(join(home.path, ".wrangler/pagurus.json"))).toBe(false);

    // A restart keeps what was said, and takes a real model from the environment.
    const key = newCode(30);
    const answer = newWord();
    model.script = () => ({ text: answer });
    const [again] = await start({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.baseUrl });
    expect(again.stdout).toContain("environment: ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL");
    expect((await chat("and now?")).stdout).toBe(`${answer}\n`);
    const sent = model.requests.at(-1);
    expect(JSON.stringify(sent?.headers)).toContain(key);
    expect(sent?.text).toContain(word);
    expect(again.stdout + again.stderr).not.toContain(key);
  });

  test("can be stopped while it starts, and leaves neither process nor note", async () => {
    const directory = temporaryDirectory();
    copyProject(directory.path);
    const script = join(directory.path, "src/cli/start.ts");
    const command = new Command(script, { directory: directory.path });
    running.unshift(command);
    await command.says("Building the Worker");
    const chat = new Command(join(directory.path, "src/cli/chat.ts"), {
      arguments: ["hello"],
      directory: directory.path,
    });
    await eventually(() => chat.stderr.includes("is starting"), { timeoutMs: 30_000 });
    const second = new Command(script, { directory: directory.path });
    expect([await second.ended, second.stderr]).toEqual([1, expect.stringContaining("starting")]);
    command.signal("SIGINT");
    expect([await command.ended, command.stderr]).toEqual([0, ""]);
    expect(command.stdout).toContain("Stopping");
    expect(existsSync(join(directory.path, ".wrangler/pagurus.json"))).toBe(false);
    expect(await chat.ended).toBe(1);
    await eventually(() => {
      directory.remove();
      return true;
    });
  });

  test("that fails says why, and leaves no note", async () => {
    const directory = temporaryDirectory();
    copyProject(directory.path);
    const word = newWord();
    appendFileSync(join(directory.path, "src/index.ts"), `\nimport "./${word}.ts";\n`);
    const script = join(directory.path, "src/cli/start.ts");
    const command = new Command(script, { directory: directory.path });
    running.unshift(command);
    expect(await command.ended).toBe(1);
    expect(command.stderr).toContain(word);
    expect(command.stderr).toContain("Pagurus did not start.");
    expect(existsSync(join(directory.path, ".wrangler/pagurus.json"))).toBe(false);
    directory.remove();
  });

  test("leaves nothing running when it is killed", async () => {
    const [command, url] = [running.at(-1)!, `http://127.0.0.1:${port}`];
    expect(await isAlive(url)).toBe(true);
    command.signal("SIGKILL");
    expect(await command.ended).toBe("SIGKILL");
    await eventually(async () => !(await isAlive(url)), {
      timeoutMs: 20_000,
      what: "the end of the server",
    });
  });
});
