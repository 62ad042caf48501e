import { afterEach, beforeEach, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { MemorySide } from "#test/harness/memory-side.ts";

/**
 * Nights begin by the cron, at the owner's hour. Days pass here by moving the owner: the zones differ by
 * 26 hours, so in the second it is always a later day than in the first.
 */
const FIRST = "Etc/GMT+12";
const SWEEP = "*/5 * * * *";
let home: Assistant;
let memory: MemorySide;

beforeEach(async () => {
  home = await Assistant.start(at(FIRST, 0));
  memory = new MemorySide(home);
});

afterEach(() => home.stop());

function at(timeZone: string, hour: number) {
  return { vars: { TIMEZONE: timeZone }, config: { memory: { dreaming: { atHour: hour } } } };
}

function hourIn(timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" });
  return Number(format.format(Date.now()));
}

/** A zone a day ahead in which the hour is neither the first nor the last, nor about to change. */
function dayAhead(): string {
  const zones = ["Etc/GMT-14", "Etc/GMT-13", "Etc/GMT-12"];
  const zone = zones.find((each) => hourIn(each) > 0 && hourIn(each) < 22);
  if (zone === undefined) throw new Error("no such zone");
  return zone;
}

/** Lets the clock look, and gives how many nights have ended or are under way then. */
async function look(): Promise<number> {
  expect(await home.runtime.scheduled(SWEEP)).toBe("ok");
  // A night is there before the sweep that begins it comes back, and so is told of.
  const status = await memory.command("/dreaming");
  return home.events("dreaming.ended").length + (status.includes("under way") ? 1 : 0);
}

/** Lets the clock look, and gives what is told of the night that this begins. */
async function night(): Promise<string> {
  const before = home.events("dreaming.ended").length;
  expect(await home.runtime.scheduled(SWEEP)).toBe("ok");
  return memory.dreamt(before);
}

async function tell(fact: string): Promise<void> {
  const ada = home.telegram.owner();
  await ada.say(`remember that ${fact}`);
  await ada.hears("ok");
}

test("the first look begins none; the next day's night comes once its hour has come, and once only", async () => {
  await tell("my boat is called Bit");
  expect(await look()).toBe(0);
  expect(await look()).toBe(0);
  expect(await memory.file("MEMORY.md")).not.toContain("Bit");

  const zone = dayAhead();
  await home.restart(at(zone, hourIn(zone) + 1));
  expect(await look()).toBe(0);

  await home.restart(at(zone, hourIn(zone)));
  expect(await night()).toMatch(/\d\d:\d\d: Changed MEMORY\.md: 1 added/);
  expect(await memory.file("MEMORY.md")).toContain("Bit");
  await tell("my cat is called Byte");
  expect(await look()).toBe(1);
  await home.restart(at(zone, 0));
  expect(await look()).toBe(1);
});

test("none comes by itself after /dreaming off, or where the configuration says so", async () => {
  await tell("my boat is called Bit");
  expect(await look()).toBe(0);
  const zone = dayAhead();
  await memory.command("/dreaming off");
  await home.restart(at(zone, 0));
  expect(await look()).toBe(0);
  await memory.command("/dreaming on");
  const { vars } = at(zone, 0);
  await home.restart({ vars, config: { memory: { dreaming: { enabled: false, atHour: 0 } } } });
  expect(await look()).toBe(0);
  await home.restart(at(zone, 0));
  expect(await night()).toContain("Changed MEMORY.md: 1 added");
});
