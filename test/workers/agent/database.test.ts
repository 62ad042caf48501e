import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openAgentDatabase } from "#platform/agent/database.ts";
import { createUsageBuffer } from "#platform/agent/usage-buffer.ts";
import { migrateD1 } from "#platform/d1/migrate.ts";
import { createUsageLedger } from "#platform/d1/usage.ts";
import { migrate, type Migration } from "#platform/migrate.ts";
import { freshAgent, usageRow } from "./agent-stub.ts";

const day = 86_400_000;
const start = Date.UTC(2031, 4, 6);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets the alarm find its work due at once. */
async function runAlarmLater(stub: DurableObjectStub, hours = 1): Promise<void> {
  const later = Date.now() + hours * 3_600_000;
  const clock = vi.spyOn(Date, "now").mockReturnValue(later);
  await runDurableObjectAlarm(stub);
  clock.mockRestore();
}

function waiting(stub: ReturnType<typeof freshAgent>["stub"]): Promise<number> {
  return runInDurableObject(stub, (_instance, state) => {
    return createUsageBuffer(openAgentDatabase(state.storage)).peek(1_000).length;
  });
}

describe("usage rows", () => {
  test("reach D1 once, also when a turn's end is told twice and the object is loaded anew", async () => {
    const { id, stub } = freshAgent();
    const usage = Array.from({ length: 60 }, () => usageRow(id));
    const end = { sessionKey: "k", turnId: "t1", usage };
    await stub.endTurn(end);
    await stub.endTurn(end);
    await evictDurableObject(stub);
    await runAlarmLater(stub);
    await runAlarmLater(stub);
    await stub.endTurn(end);
    await runAlarmLater(stub);
    await runAlarmLater(stub);
    const ledger = createUsageLedger(env.DB);
    const total = await ledger.total({ agentId: id, from: 0, to: Number.MAX_SAFE_INTEGER });
    expect(total).toMatchObject({ calls: 60, input: 6_000, output: 600, unpriced: 0 });
    expect(total.cost).toBeCloseTo(0.6);
    expect(await waiting(stub)).toBe(0);
  });

  test("stay until D1 has taken them", async () => {
    const { id, stub } = freshAgent();
    const down = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1 is down"));
    await stub.endTurn({ sessionKey: "k", turnId: "t1", usage: [usageRow(id)] });
    await runAlarmLater(stub);
    expect(down).toHaveBeenCalled();
    expect(await waiting(stub)).toBe(1);
    down.mockRestore();
    await runAlarmLater(stub, 2);
    expect(await waiting(stub)).toBe(0);
  });

  test("with numbers that are none hold up nobody", async () => {
    const { id } = freshAgent();
    const ledger = createUsageLedger(env.DB);
    await ledger.add([usageRow(id, { input: Number.NaN, cost: Number.POSITIVE_INFINITY })]);
    const total = await ledger.total({ agentId: id, from: 0, to: Number.MAX_SAFE_INTEGER });
    expect(total).toMatchObject({ calls: 1, input: 0, cost: 0, unpriced: 1 });
  });
});

describe("the ledger", () => {
  test("sums by model, session and the owner's day, and says what it cannot price", async () => {
    const { id } = freshAgent();
    const ledger = createUsageLedger(env.DB);
    await ledger.add([
      usageRow(id, { at: start, cost: 1, model: "big" }),
      usageRow(id, { at: start + 1, cost: null, model: "own" }),
      usageRow(id, { at: start + day - 1, cost: 3, model: "small", sessionKey: "other" }),
      usageRow(id, { at: start + day, cost: 5, model: "big" }),
      usageRow("someone-else", { at: start, cost: 100 }),
    ]);
    const query = { agentId: id, from: start, to: start + day };
    expect(await ledger.total(query)).toMatchObject({ calls: 3, cost: 4, unpriced: 1 });
    expect(await ledger.total({ ...query, sessionKey: "other" })).toMatchObject({ cost: 3 });
    const labels = (rows: { label: string; cost: number }[]) =>
      rows.map((row) => [row.label, row.cost]);
    expect(labels(await ledger.byModel(query))).toEqual([
      ["demo/small", 3],
      ["demo/big", 1],
      ["demo/own", 0],
    ]);
    expect(labels(await ledger.bySession(query))).toEqual([
      ["other", 3],
      [`agent:${id}:main`, 1],
    ]);
    const twoDays = { ...query, to: start + 2 * day };
    expect(labels(await ledger.byDay(twoDays, 0))).toEqual([
      ["2031-05-06", 4],
      ["2031-05-07", 5],
    ]);
    expect(labels(await ledger.byDay(twoDays, 3_600_000))).toEqual([
      ["2031-05-06", 1],
      ["2031-05-07", 8],
    ]);
  });

  test("answers zero for nothing", async () => {
    const none = await createUsageLedger(env.DB).total({ agentId: "nobody", from: 0, to: 1 });
    expect(none).toMatchObject({ calls: 0, cost: 0, unpriced: 0 });
  });

  test("reads ranges of an index, never the whole table", async () => {
    await createUsageLedger(env.DB).total({ agentId: "nobody", from: 0, to: 1 });
    const plan = await env.DB.prepare(
      "EXPLAIN QUERY PLAN SELECT sum(cost) FROM usage WHERE agent_id = ? AND at >= ? AND at < ?",
    )
      .bind("a", 0, 1)
      .all<{ detail: string }>();
    expect(plan.results[0]?.detail).toMatch(/USING INDEX usage_agent/);
  });
});

const separator = "--> statement-breakpoint";

function tableNamed(name: string): Migration {
  const sql = `CREATE TABLE ${name} (id INTEGER PRIMARY KEY);\n${separator}\nINSERT INTO ${name} VALUES (1);`;
  return { name: `${name}.sql`, sql };
}

const inStorage = (work: (storage: DurableObjectStorage) => void) =>
  runInDurableObject(freshAgent().stub, (_instance, { storage }) => work(storage));

describe("migrations inside an object", () => {
  test("each migration runs once, in order, and new ones are added", async () => {
    await inStorage((storage) => {
      const [one, two] = [tableNamed("one"), tableNamed("two")];
      migrate(storage, [one]);
      migrate(storage, [one]);
      migrate(storage, [one, two]);
      const count = (table: string) => storage.sql.exec(`SELECT count(*) n FROM ${table}`).one().n;
      expect([count("one"), count("two")]).toEqual([1, 1]);
    });
  });

  test("a wrong statement is named with the database's own words, and nothing is applied", async () => {
    await inStorage((storage) => {
      const wrong = { name: "wrong.sql", sql: `SELECT 1;${separator}CREATE TABEL x (y);` };
      const both = () => migrate(storage, [tableNamed("three"), wrong]);
      expect(both).toThrow(/wrong\.sql, statement 2: .*syntax error/);
      const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'three'");
      expect(tables.toArray()).toEqual([]);
    });
  });
});

describe("migrations in D1", () => {
  /** Another object for the same database, as another isolate has it. */
  function isolate(): D1Database {
    const handle = { prepare: (sql: string) => env.DB.prepare(sql) };
    return Object.assign(Object.create(env.DB), handle, {
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    }) as D1Database;
  }

  const rows = async (table: string) =>
    (await env.DB.prepare(`SELECT count(*) n FROM ${table}`).first<{ n: number }>())?.n;

  test("each migration runs once, and is known to wrangler under its file's name", async () => {
    const migration = tableNamed("d_one");
    await migrateD1(isolate(), [migration]);
    await migrateD1(isolate(), [migration]);
    expect(await rows("d_one")).toBe(1);
    const known = env.DB.prepare("SELECT count(*) n FROM d1_migrations WHERE name = 'd_one.sql'");
    expect(await known.first()).toEqual({ n: 1 });
  });

  test("isolates that race end with one schema", async () => {
    const migrations = [tableNamed("d_two"), tableNamed("d_three")];
    await Promise.all([1, 2, 3, 4].map(() => migrateD1(isolate(), migrations)));
    expect([await rows("d_two"), await rows("d_three")]).toEqual([1, 1]);
  });

  test("a wrong statement is named, and is tried again", async () => {
    const database = isolate();
    const wrong = { name: "d_four.sql", sql: "CREATE TABEL x (y);" };
    await expect(migrateD1(database, [wrong])).rejects.toThrow(/d_four\.sql: .*syntax error/);
    await migrateD1(database, [tableNamed("d_four")]);
    expect(await rows("d_four")).toBe(1);
  });
});
