import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noteFile } from "#cli/run-note.ts";
import { findTarget, isAlive, wrongToken } from "#cli/target.ts";
import { GatewayServer } from "#test/doubles/gateway-server.ts";
import { standIn } from "./stand-in.ts";
import { temporaryDirectory } from "#test/harness/wait.ts";
import { newCode } from "#test/harness/words.ts";

const home = temporaryDirectory();
const [kept, said, exported] = [newCode(20), newCode(20), newCode(20)];

beforeAll(() => {
  writeFileSync(`${home.path}/.dev.vars`, `GATEWAY_TOKEN=${kept}\n`);
});

afterAll(() => home.remove());

function urlOf(address: string | undefined, environment: NodeJS.ProcessEnv = {}): string {
  const target = findTarget(home.path, { url: address }, environment);
  return target.ok ? target.value.url : `refused: ${target.error}`;
}

describe("the address", () => {
  test("is the usual one when nothing is known", () => {
    expect(urlOf(undefined)).toBe("http://127.0.0.1:8787");
    expect(urlOf(undefined, { PORT: "9001" })).toBe("http://127.0.0.1:9001");
  });

  test("is refused when PORT is none", () => {
    expect(urlOf(undefined, { PORT: "abc" })).toMatch(/^refused: PORT is "abc"/);
    expect(urlOf("127.0.0.1:8790", { PORT: "abc" })).toBe("http://127.0.0.1:8790");
  });

  test("is where npm start serves", () => {
    const server = standIn();
    mkdirSync(dirname(noteFile(home.path)), { recursive: true });
    const note = { pid: server.pid, port: 8790, phase: "ready" };
    writeFileSync(noteFile(home.path), JSON.stringify(note));
    expect(urlOf(undefined, { PORT: "9001" })).toBe("http://127.0.0.1:8790");
    writeFileSync(noteFile(home.path), "half a no");
    expect(urlOf(undefined, { PORT: "9001" })).toBe("http://127.0.0.1:9001");
    server.kill();
  });

  test.each([
    ["https://crab.example.workers.dev/", "https://crab.example.workers.dev"],
    ["https://crab.example.workers.dev/setup?x=1", "https://crab.example.workers.dev"],
    ["crab.example.workers.dev", "https://crab.example.workers.dev"],
    ["127.0.0.1:8790", "http://127.0.0.1:8790"],
    ["localhost:8790", "http://localhost:8790"],
    ["http://[::1]:8790", "http://[::1]:8790"],
  ])("%s is %s", (given, url) => {
    expect(urlOf(given)).toBe(url);
  });

  test.each([
    "http://crab.example.workers.dev",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://10.0.0.1:8787",
    "ftp://crab.example",
    "https://",
    "",
  ])("%j gets no token", (given) => {
    expect(urlOf(given)).toMatch(/^refused: /);
  });
});

describe("the token", () => {
  test("is the one said, else the environment's, else the file's", () => {
    const tokenOf = (token: string | undefined, environment: NodeJS.ProcessEnv) => {
      const target = findTarget(home.path, { token }, environment);
      return target.ok && target.value.token;
    };
    expect(tokenOf(said, { GATEWAY_TOKEN: exported })).toBe(said);
    expect(tokenOf(undefined, { GATEWAY_TOKEN: exported })).toBe(exported);
    expect(tokenOf(undefined, {})).toBe(kept);
  });

  test("that is refused is told with the place it was taken from, and not shown", () => {
    const refusal = (token: string | undefined, environment: NodeJS.ProcessEnv) => {
      const target = findTarget(home.path, { token }, environment);
      return target.ok ? wrongToken(target.value) : target.error;
    };
    expect(refusal(said, { GATEWAY_TOKEN: exported })).toContain("given with --token");
    expect(refusal(undefined, { GATEWAY_TOKEN: exported })).toContain("your environment");
    expect(refusal(undefined, {})).toContain("in .dev.vars");
    for (const token of [said, exported, kept]) {
      expect(refusal(undefined, { GATEWAY_TOKEN: token })).not.toContain(token);
    }
  });

  test("that is nowhere is explained", () => {
    const target = findTarget(`${home.path}/elsewhere`, {}, {});
    expect(target).toMatchObject({ ok: false, error: expect.stringContaining("npm start") });
  });
});

test("only a Pagurus counts as alive", async () => {
  const gateway = new GatewayServer(said);
  const url = await gateway.start();
  expect(await isAlive(url)).toBe(true);
  expect(await isAlive(`${url}/elsewhere`)).toBe(false);
  await gateway.stop();
  expect(await isAlive(url)).toBe(false);
});
