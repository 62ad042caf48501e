import { describe, expect, test } from "vitest";
import { createTimetable, type JobOutcome } from "#platform/agent/timetable.ts";
import { insideAgent, silent, type Inside } from "./agent-database.ts";

function timetableRig({ database, storage, clock }: Inside) {
  const timetable = createTimetable<"a" | "b">({
    database,
    storage,
    now: clock.now,
    report: silent,
  });
  const runs: string[] = [];
  const outcomes: Record<"a" | "b", () => JobOutcome | Promise<JobOutcome>> = {
    a: () => "done",
    b: () => "done",
  };
  const job = (name: "a" | "b") => async () => {
    runs.push(name);
    return outcomes[name]();
  };
  return { timetable, runs, outcomes, run: () => timetable.run({ a: job("a"), b: job("b") }) };
}

describe("the timetable", () => {
  test("runs what is due and sets the alarm for the rest", async () => {
    await insideAgent(async (inside) => {
      const { timetable, runs, run } = timetableRig(inside);
      const { clock, storage } = inside;
      timetable.schedule("b", clock.time + 5_000);
      timetable.schedule("a", clock.time + 1_000);
      timetable.schedule("a", clock.time + 9_000);
      expect(await storage.getAlarm()).toBe(clock.time + 1_000);
      await run();
      expect(runs).toEqual([]);
      clock.time += 1_000;
      await run();
      expect(runs).toEqual(["a"]);
      expect(await storage.getAlarm()).toBe(clock.time + 4_000);
      clock.time += 4_000;
      await run();
      await run();
      expect(runs).toEqual(["a", "b"]);
    });
  });

  test("tries a failed job again later and later, and runs the others meanwhile", async () => {
    await insideAgent(async (inside) => {
      const { timetable, runs, outcomes, run } = timetableRig(inside);
      const { clock, storage } = inside;
      outcomes.a = () => {
        throw new Error("down");
      };
      timetable.schedule("a", clock.time);
      timetable.schedule("b", clock.time);
      await run();
      expect(runs).toEqual(["a", "b"]);
      const delays: number[] = [];
      for (let round = 0; round < 12; round += 1) {
        const alarm = (await storage.getAlarm()) ?? 0;
        delays.push(alarm - clock.time);
        clock.time = alarm;
        await run();
      }
      expect(delays.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
      expect(Math.max(...delays)).toBe(1_800_000);
      outcomes.a = () => "done";
      clock.time += 3_600_000;
      await run();
      timetable.schedule("a", clock.time + 50);
      expect(await storage.getAlarm()).toBe(clock.time + 50);
    });
  });

  test("runs what was scheduled before the clock was set back", async () => {
    await insideAgent(async (inside) => {
      const { timetable, runs, run } = timetableRig(inside);
      const { clock, storage } = inside;
      timetable.schedule("a", clock.time + 5_000);
      clock.time -= 7 * 86_400_000;
      await timetable.ensureAlarm();
      expect(await storage.getAlarm()).toBe(clock.time);
      await run();
      expect(runs).toEqual(["a"]);
    });
  });

  test("keeps what is scheduled while the job runs", async () => {
    await insideAgent(async (inside) => {
      const { timetable, runs, outcomes, run } = timetableRig(inside);
      const { clock } = inside;
      outcomes.a = () => {
        timetable.schedule("a", clock.time + 10);
        return "done";
      };
      timetable.schedule("a", clock.time);
      await run();
      outcomes.a = () => "done";
      clock.time += 10;
      await run();
      await run();
      expect(runs).toEqual(["a", "a"]);
    });
  });

  test("finds a job due again when its run was cut off", async () => {
    await insideAgent(async (inside) => {
      const first = timetableRig(inside);
      first.outcomes.a = () => new Promise(() => {});
      first.timetable.schedule("a", inside.clock.time);
      void first.run();
      const second = timetableRig(inside);
      await second.run();
      expect([first.runs, second.runs]).toEqual([["a"], ["a"]]);
    });
  });

  test("sets an alarm that got lost", async () => {
    await insideAgent(async (inside) => {
      const { timetable } = timetableRig(inside);
      timetable.schedule("a", inside.clock.time + 500);
      await inside.storage.deleteAlarm();
      await timetable.ensureAlarm();
      expect(await inside.storage.getAlarm()).toBe(inside.clock.time + 500);
    });
  });
});
