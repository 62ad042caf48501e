import { expect, test } from "vitest";
import type { Origins, Place } from "#contract/origins.ts";
import { followMove } from "#core/routing/origin.ts";
import { rememberOrigins } from "#wiring/remembered-origins.ts";

/** In memory, as D1 does it. */
class Table implements Origins {
  readonly rows = new Map<string, string>();
  reads = 0;
  down = false;

  find({ channel, conversation }: Place): Promise<string | null> {
    this.reads += 1;
    if (this.down) return Promise.reject(new Error("the database is down"));
    return Promise.resolve(this.rows.get(`${channel} ${conversation}`) ?? null);
  }

  async decide(place: Place, origin: string): Promise<string> {
    const found = await this.find(place);
    if (found !== null) return found;
    this.rows.set(`${place.channel} ${place.conversation}`, origin);
    return origin;
  }
}

const move = { channel: "telegram", from: "-1", to: "-1002" };
const next = { channel: "telegram", from: "-1002", to: "-1003" };

test("the news of a move makes the new id another one of the same conversation, however often", async () => {
  const table = new Table();
  expect(await followMove(table, move)).toBe(true);
  expect(await followMove(table, move)).toBe(true);
  expect(await table.find({ channel: "telegram", conversation: "-1002" })).toBe("-1");
});

test("after a second move the id at the beginning still stands", async () => {
  const table = new Table();
  await followMove(table, move);
  expect(await followMove(table, next)).toBe(true);
  expect(await table.find({ channel: "telegram", conversation: "-1003" })).toBe("-1");
});

test("what has begun under the new id stays a conversation of its own", async () => {
  const table = new Table();
  const place = { channel: "telegram", conversation: "-1002" };
  expect(await table.decide(place, "-1002")).toBe("-1002");
  expect(await followMove(table, move)).toBe(false);
  expect(await table.find(place)).toBe("-1002");
});

test("what is decided is read once, what is not is read again, and no failure is remembered", async () => {
  const table = new Table();
  const origins = rememberOrigins(table);
  const place = { channel: "telegram", conversation: "-1002" };
  table.down = true;
  await expect(origins.find(place)).rejects.toThrow("down");
  table.down = false;
  expect(await origins.find(place)).toBeNull();
  await followMove(table, move);
  expect(await origins.find(place)).toBe("-1");
  const { reads } = table;
  table.down = true;
  expect(await origins.find(place)).toBe("-1");
  expect(table.reads).toBe(reads);
});
