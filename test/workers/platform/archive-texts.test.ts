import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createArchiveTexts } from "#platform/r2/archive-texts.ts";

const line = (text: string) => JSON.stringify({ text });
const forgetBoat = (value: unknown) => {
  const { text } = value as { text: string };
  return text.includes("boat") ? { text: "[forgotten]" } : value;
};

async function rewritten(races: number) {
  const agentId = crypto.randomUUID();
  const key = `agents/${agentId}/sessions/main/1.jsonl`;
  await env.FILES.put(key, line("my boat"));
  const told: string[] = [];
  let left = races;
  // Somebody writes between the read and the put, so many times.
  const bucket = new Proxy(env.FILES, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "put") return value.bind(target);
      return async (...args: Parameters<R2Bucket["put"]>) => {
        if (left > 0) await target.put(key, `${line("my boat")}\n${line(`written ${left}`)}`);
        left -= 1;
        return target.put(...args);
      };
    },
  });
  const work = createArchiveTexts(bucket, agentId).rewrite(null, forgetBoat, (name) => {
    told.push(name);
  });
  await work.catch(() => undefined);
  return { work, told, text: await (await env.FILES.get(key))?.text() };
}

test("an archive that is written anew meanwhile is changed in its new version", async () => {
  const { work, text } = await rewritten(1);
  expect(await work).toEqual({ next: null });
  expect(text).toBe(`${line("[forgotten]")}\n${line("written 1")}`);
});

test("one that is written anew all the time is no success", async () => {
  const { work, text } = await rewritten(3);
  await expect(work).rejects.toThrow("written anew all the time");
  expect(text).toContain("boat");
});
