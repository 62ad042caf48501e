import { mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { exportName, saveExport } from "#cli/export-file.ts";
import { GatewayServer } from "#test/doubles/gateway-server.ts";
import { temporaryDirectory } from "#test/harness/wait.ts";
import { newCode, newWord } from "#test/harness/words.ts";

/** `/export` at a terminal: what ends up on the disk. */
const token = newCode(20);
const gateway = new GatewayServer(token);
const home = temporaryDirectory();
const date = "2026-11-29";
const key = "agent:main:api:direct:terminal";
let folder = "";
let url = "";

beforeEach(async () => {
  url = await gateway.start();
  folder = home.path;
  mkdirSync(folder, { recursive: true });
});

afterEach(async () => {
  await gateway.stop();
  home.remove();
});

function save() {
  const conversation = { user: "terminal", model: "pagurus" };
  return saveExport({ target: { url, token, tokenFrom: "file" }, conversation, folder, date });
}

test("an export is saved for its owner only, under the conversation's name and the date", async () => {
  const body = `{"type":"pagurus.session"}\n{"text":"${newWord()}"}\n`;
  gateway.transcript = { key, body };
  const saved = await save();
  if (!saved.ok) throw new Error(saved.error);
  expect(dirname(saved.value)).toBe(folder);
  expect(basename(saved.value)).toBe(`pagurus-agent-main-api-direct-terminal-${date}.jsonl`);
  expect(readFileSync(saved.value, "utf8")).toBe(body);
  expect(statSync(saved.value).mode & 0o777).toBe(0o600);
});

test("an export takes no other file's place", async () => {
  const words = [newWord(), newWord(), newWord()];
  for (const body of words) {
    gateway.transcript = { key, body };
    expect((await save()).ok).toBe(true);
  }
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(kept.toSorted()).toEqual(words.toSorted());
});

test("an export that breaks off leaves no file, and says so", async () => {
  gateway.transcript = { key, body: broken() };
  const saved = await save();
  expect(saved).toMatchObject({ ok: false, error: expect.stringContaining("export failed") });
  expect(readdirSync(folder)).toEqual([]);
});

test("a conversation in which nothing was said has nothing to export", async () => {
  gateway.transcript = undefined;
  expect(await save()).toMatchObject({ ok: false, error: expect.stringContaining("nothing") });
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be written to is a sentence, not a crash", async () => {
  gateway.transcript = { key, body: "{}\n" };
  folder = join(home.path, "nowhere");
  expect(await save()).toMatchObject({ ok: false, error: expect.stringContaining("failed") });
});

test.each([
  ["agent:main:api:direct:../../etc/passwd", "agent-main-api-direct-.-.-etc-passwd"],
  ["agent:main:api:direct:a b\nc\u0000", "agent-main-api-direct-a-b-c"],
  [`agent:main:${"x".repeat(500)}`, `agent-main-${"x".repeat(69)}`],
])("of a key only what is safe in a name is kept: %j", (odd, safe) => {
  expect(exportName(odd, date)).toBe(`pagurus-${safe}-${date}`);
});

async function* broken(): AsyncGenerator<string> {
  yield '{"type":"pagurus.session"}\n';
  throw new Error("the connection breaks here");
}
