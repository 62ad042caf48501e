import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DoubleServer, type Reply } from "#test/doubles/double-server.ts";
import { killAt } from "#test/harness/crash.ts";
import { Runtime } from "#test/harness/runtime.ts";
import { eventually, settled, temporaryDirectory } from "#test/harness/wait.ts";

/**
 * The harness itself, on a Worker made for it: what it promises to crash tests must hold before
 * they can mean anything. The times it prints are of the machine it runs on.
 */
class Target extends DoubleServer {
  constructor() {
    super("target");
  }

  protected override handle(): Reply {
    return { body: "{}" };
  }
}

const config = "test/harness/fixtures/alarm-worker/wrangler.toml";
const home = temporaryDirectory();
const target = new Target();
let runtime: Runtime;

beforeEach(async () => {
  await target.start();
  runtime = await Runtime.start({ directory: home.path, config, vars: { EXTRA: "given" } });
});

afterEach(async () => {
  await runtime.stop();
  await target.stop();
  target.clear();
  home.remove();
});

async function ask(path: string): Promise<unknown> {
  return (await runtime.fetch(path)).json();
}

function arm(name: string): Promise<Response> {
  return runtime.fetch(`/arm/${name}?text=${encodeURIComponent(target.url)}`);
}

describe("a runtime", () => {
  test("has the vars of the file under those given, text modules, and no AI", async () => {
    expect(await ask("/")).toEqual({
      place: "from the file",
      extra: "given",
      ai: "undefined",
      note: "A text module.\n",
    });
    await runtime.restart({ PLACE: "from the caller" });
    expect(await ask("/")).toMatchObject({ place: "from the caller" });
  });

  test("keeps D1, R2 and its port over a kill", async () => {
    const text = randomUUID();
    await runtime.fetch(`/store/thing?text=${text}`);
    const url = runtime.url;
    await runtime.kill();
    await runtime.restart();
    expect(await ask("/load/thing")).toEqual({ row: { text }, object: text });
    expect(runtime.url).toBe(url);
  });

  test("answers nothing once it is killed", async () => {
    await runtime.kill();
    await expect(runtime.fetch("/")).rejects.toThrow();
    expect(runtime.running).toBe(false);
  });

  test("fires the Cron Trigger", async () => {
    expect(await runtime.scheduled("*/5 * * * *")).toBe("ok");
    expect(await ask("/state/cron")).toMatchObject({ crons: ["*/5 * * * *"] });
  });

  test("records what the Worker writes to its console", async () => {
    const text = randomUUID();
    await runtime.fetch(`/log/any?text=${text}`);
    const lines = await eventually(() => {
      const found = runtime.logs.filter((line) => line.message.includes(text));
      return found.length === 2 && found;
    });
    expect(lines.map((line) => line.level)).toEqual(["log", "error"]);
  });
});

describe("an alarm killed in the middle", () => {
  test.each(["received", "applied"] as const)("at %s runs again by itself", async (phase) => {
    const killed = killAt(runtime, target, (boundary) => boundary.phase === phase);
    await arm("one");
    await killed;
    expect(target.requests).toHaveLength(1);

    const from = performance.now();
    await runtime.restart();
    const ready = performance.now();
    // Nothing is asked of the Worker here: only its own alarm can make this request.
    const again = await eventually(() => target.requests[1]);
    const seen = performance.now();
    console.log(
      `restart ${Math.round(ready - from)} ms, alarm again ${Math.round(seen - ready)} ms later`,
    );
    expect(again.path).toBe("/alarm/2");
    expect(await settled(() => target.requests.length)).toBe(2);
    expect(await ask("/state/one")).toMatchObject({ started: 2, finished: 1 });
  });

  test("is not run again when it had ended", async () => {
    await arm("two");
    await eventually(async () => ((await ask("/state/two")) as { finished: number }).finished);
    await runtime.restart();
    await settled(() => target.requests.length);
    expect(await ask("/state/two")).toMatchObject({ started: 1, finished: 1 });
  });

  test("is found over many kills in a row", async () => {
    const runs = 4;
    for (let run = 1; run <= runs; run += 1) {
      const killed = killAt(runtime, target, (boundary) => boundary.phase === "received");
      await (run === 1 ? arm("three") : runtime.restart());
      expect((await killed).request.path).toBe(`/alarm/${run}`);
    }
    await runtime.restart();
    await eventually(() => target.requests[runs]);
    await settled(() => target.requests.length);
    expect(await ask("/state/three")).toMatchObject({ started: runs + 1, finished: 1 });
  });
});
