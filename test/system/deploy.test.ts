import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CloudflareServer } from "#test/doubles/cloudflare-server.ts";
import { Command } from "#test/harness/command.ts";
import { copyProject } from "#test/harness/project-copy.ts";
import { temporaryDirectory } from "#test/harness/wait.ts";
import { newCode } from "#test/harness/words.ts";

/**
 * A deploy rehearsed against a double of Cloudflare's API: what README promises of `npm run deploy` and
 * `wrangler secret put` on an account that has nothing yet. It proves what is uploaded, not that
 * Cloudflare runs it.
 */
const cloudflare = new CloudflareServer("pagurus");
const home = temporaryDirectory();

beforeAll(async () => {
  await cloudflare.start();
  copyProject(home.path);
});

afterAll(async () => {
  await cloudflare.stop();
  home.remove();
});

async function wrangler(words: readonly string[], input = ""): Promise<void> {
  const command = new Command(join(home.path, "node_modules/wrangler/bin/wrangler.js"), {
    arguments: words,
    input,
    directory: home.path,
    environment: {
      CLOUDFLARE_API_BASE_URL: cloudflare.baseUrl,
      CLOUDFLARE_API_TOKEN: newCode(20),
      CLOUDFLARE_ACCOUNT_ID: cloudflare.accountId,
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_LOG_PATH: join(home.path, ".wrangler", "logs"),
      NO_COLOR: "1",
      CI: "true",
    },
  });
  expect([await command.ended, command.stderr]).toEqual([0, ""]);
}

describe("deploying", { timeout: 300_000 }, () => {
  test("creates what is missing and uploads everything bound", async () => {
    await wrangler(["deploy"]);
    const [database] = cloudflare.databases;
    const [bucket] = cloudflare.buckets;
    const [upload] = cloudflare.uploads;
    expect(cloudflare.databases).toHaveLength(1);
    expect(cloudflare.buckets).toHaveLength(1);
    expect(upload?.metadata.bindings).toEqual(
      expect.arrayContaining([
        { type: "d1", name: "DB", id: database?.uuid },
        { type: "r2_bucket", name: "FILES", bucket_name: bucket?.name },
        { type: "ai", name: "AI" },
        { type: "assets", name: "ASSETS" },
        { type: "durable_object_namespace", name: "SESSION", class_name: "SessionDO" },
        { type: "durable_object_namespace", name: "AGENT", class_name: "AgentDO" },
      ]),
    );
    expect(cloudflare.assets).toEqual(
      new Map([
        ["embeddings/vectors-20000.bin", 20_000 * 104],
        ["embeddings/words-20000.txt", expect.any(Number)],
      ]),
    );
    // Else the world would be shown the files, in place of the Worker's routes.
    expect(upload?.metadata.assets?.config).toMatchObject({ run_worker_first: true });
    const classes = { new_sqlite_classes: ["SessionDO", "AgentDO"] };
    expect(upload?.metadata.migrations).toMatchObject({ steps: [classes] });
    expect(cloudflare.schedules).toContainEqual({ cron: "*/5 * * * *" });
    // Only this tells the Worker that Workers AI can answer.
    expect(upload?.code).toMatch(/\bdeployed = true\b/);
  });

  test("again keeps the data, the classes and the secrets", async () => {
    const secret = newCode(30);
    await wrangler(["secret", "put", "GATEWAY_TOKEN"], `${secret}\n`);
    expect(cloudflare.secrets).toEqual(new Map([["GATEWAY_TOKEN", secret]]));
    await wrangler(["deploy"]);
    const upload = cloudflare.uploads.at(-1);
    expect(cloudflare.databases).toHaveLength(1);
    expect(cloudflare.buckets).toHaveLength(1);
    expect(upload?.metadata.bindings).toEqual(
      expect.arrayContaining([
        { type: "inherit", name: "DB" },
        { type: "inherit", name: "FILES" },
      ]),
    );
    expect(upload?.metadata.migrations).toBeUndefined();
    expect(upload?.metadata.keep_bindings).toContain("secret_text");
  });
});
