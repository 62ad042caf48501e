import { afterEach, beforeEach, expect, test } from "vitest";
import { everyMinute, runClock } from "#cli/clock.ts";
import { DoubleServer, type RecordedRequest, type Reply } from "#test/doubles/double-server.ts";

/** A local server whose triggers can be fired. */
class Target extends DoubleServer {
  outcome = "ok";
  alive = true;

  protected override handle(request: RecordedRequest): Reply {
    if (request.path === "/healthz") return this.alive ? { body: '{"ok":true}' } : { status: 500 };
    return { headers: { "content-type": "text/plain" }, body: this.outcome };
  }

  get fired(): string[] {
    return this.requests
      .filter(({ path }) => path.startsWith("/cdn-cgi/"))
      .map(({ path }) => new URL(path, this.url).searchParams.get("cron") ?? "");
  }
}

let target: Target;
let url: string;

beforeEach(async () => {
  target = new Target("target");
  url = await target.start();
});

afterEach(async () => {
  await target.stop();
});

/** Lets so many minutes go by, from 10:04 on. */
async function run(crons: readonly string[], count: number, each: (minute: number) => void = noop) {
  async function* minutes(): AsyncGenerator<Date> {
    for (let minute = 4; minute < 4 + count; minute += 1) {
      each(minute);
      yield new Date(Date.UTC(2026, 2, 2, 10, minute));
    }
  }
  const problems: string[] = [];
  const report = (problem: string) => problems.push(problem);
  const end = await runClock({ url, crons, minutes: minutes(), report });
  return { end, problems };
}

function noop(): void {}

test("every trigger fires in its minutes", async () => {
  expect(await run(["*/5 * * * *", "6 * * * *"], 4)).toEqual({ end: "over", problems: [] });
  expect(target.fired).toEqual(["*/5 * * * *", "6 * * * *"]);
});

test("a trigger that fails is reported, and the clock goes on", async () => {
  target.outcome = "exception";
  const { problems } = await run(["* * * * *"], 2);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain("exception");
});

test("an expression that is not understood is reported once", async () => {
  const { problems } = await run(["0 9 * * MON-FRI", "* * * * *"], 3);
  expect(problems).toHaveLength(1);
  expect(target.fired).toHaveLength(3);
});

test("a Worker that misses one look is left alone", async () => {
  const { end } = await run(["* * * * *"], 3, (minute) => (target.alive = minute !== 5));
  expect(end).toBe("over");
  expect(target.fired).toHaveLength(2);
});

test("a Worker that misses two in a row is given up", async () => {
  const { end } = await run([], 5, (minute) => (target.alive = minute < 6));
  expect(end).toBe("silent");
});

test("minutes end with the signal", async () => {
  const stopping = new AbortController();
  const next = everyMinute(stopping.signal).next();
  stopping.abort();
  expect(await next).toMatchObject({ done: true });
});
