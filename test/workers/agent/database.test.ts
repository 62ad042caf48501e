import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openAgentDatabase } from "#platform/agent/database.ts";
import { createUsageBuffer } from "#platform/agent/usage-buffer.ts";
import { migrateD1 } from "#platform/d1/migrate.ts";
import { createUsageLedger } from "#platform/d1/usage.ts";
import { migrate, type Migration } from "#platform/migrate.ts";
import { freshAgent, usageRow } from "./agent-stub.ts";

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

/** What D1 holds of an agent. */
function sumOf(agentId: string) {
  return env.DB.prepare(
    `SELECT count(*) calls, sum(input) input, sum(output) output, coalesce(sum(cost), 0) cost,
       count(*) - count(cost) unpriced FROM usage WHERE agent_id = ?`,
  )
    .bind(agentId)
    .first<{ calls: number; input: number; output: number; cost: number; unpriced: number }>();
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
    const total = await sumOf(id);
    expect(total).toMatchObject({ calls: 60, input: 6_000, output: 600, unpriced: 0 });
    expect(total?.cost).toBeCloseTo(0.6);
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
    expect(await sumOf(id)).toEqual({ calls: 1, input: 0, output: 10, cost: 0, unpriced: 1 });
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
