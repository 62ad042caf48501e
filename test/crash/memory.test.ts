import { afterAll, beforeAll, expect, test } from "vitest";
import { randomFor } from "./expect-survival.ts";
import { plays } from "./memory/plays.ts";
import { choose, killAtEach, MemoryStage, rehearse, type MemoryVerdict } from "./memory/run.ts";

/**
 * Nights, indexing and forgetting, each cut off at every step and before and after what it writes: all
 * with one kill, since each place has an agent of its own. Steps are always tried, of other places some
 * that are drawn (the seed is printed), or all of them with CRASH_RUNS=all, in groups that one machine can carry.
 */
const DRAWN = process.env["CRASH_RUNS"] === "all" ? 1_000 : 2;
const AGENTS = DRAWN > 2 ? 250 : 60;
let stage: MemoryStage;
let verdicts: readonly MemoryVerdict[];
let stored: string;

beforeAll(async () => {
  stage = await MemoryStage.open(AGENTS);
  const random = randomFor("memory");
  const rehearsals = await Promise.all(plays.map((play) => rehearse(stage, play)));
  const cuts = plays.flatMap((play, index) => {
    const rehearsal = rehearsals[index]!;
    return choose(play, rehearsal, { random, count: DRAWN }).map((place) => ({
      play,
      place,
      agent: stage.agent(),
      expected: rehearsal.outcome,
    }));
  });
  verdicts = await killAtEach(stage, cuts);
  stored = await stage.stored();
}, 1_200_000);

afterAll(async () => {
  await stage.close();
});

test.each(plays)("$name that is killed anywhere ends as if undisturbed", ({ name }) => {
  const own = verdicts.filter(({ cut }) => cut.play.name === name);
  console.log(`${name}: killed at ${own.map(({ cut }) => cut.place).join(", ")}`);
  expect(own.length).toBeGreaterThan(4);
  const failed = own.filter(({ problems }) => problems.length > 0);
  expect(failed.map(({ cut, problems }) => ({ place: cut.place, problems }))).toEqual([]);
});

test("no object keeps what was forgotten, wherever that was cut off", () => {
  const gone = verdicts.flatMap(({ cut: { play, agent } }) => play.gone?.(agent) ?? []);
  expect(gone.length).toBeGreaterThan(4);
  expect(gone.filter((text) => stored.includes(text))).toEqual([]);
});
