import { expect, test } from "vitest";
import { createPathLock } from "#core/workspace/path-lock.ts";
import type { LedgerPhase } from "#test/doubles/ledger-store.ts";
import type { StorePhase } from "#test/doubles/workspace-store.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

const note = "memory/2031-05-06.md";
const append = (text: string) => ({ type: "append", text }) as const;
const phases: (StorePhase | LedgerPhase)[] = [
  "get",
  "ledger keys",
  "ledger put",
  "ledger put done",
  "keep",
  "put",
  "put done",
];

test.each(phases)("what is adopted while a put is at %s stays adopted", async (phase) => {
  const world = new WorkspaceWorld();
  const lock = createPathLock();
  expect(await world.writer().apply(world.operation(append("- ours"), note))).toMatchObject({
    ok: true,
  });
  world.store.editOutside(note, "- ours\n- by hand\n");
  const classifier = world.classifier(lock);
  let adopting: Promise<number> | undefined;
  const gate = (now: StorePhase | LedgerPhase) => {
    if (now === phase) adopting ??= classifier.adopt(note);
  };
  world.store.gate = gate;
  world.ledgerStore.gate = gate;
  const more = world.tainted(append("- from outside"), note);
  expect(await world.writer(lock).apply(more)).toMatchObject({ ok: true });
  expect(await adopting).toBe(1);
  const classes = ["agent: - ours", "owner: - by hand", "untrusted: - from outside"];
  expect(await world.classes(note)).toEqual(classes);
  // What is changed from outside afterwards is compared with the newest version, not with the adopted one.
  const text = (await world.store.get(note))?.text ?? "";
  world.store.editOutside(note, `${text}- by hand, too\n`);
  expect(await world.classes(note)).toEqual([...classes, "waiting: - by hand, too"]);
});

test("adopting that fails does not hold up the next change", async () => {
  const world = new WorkspaceWorld();
  const lock = createPathLock();
  world.store.editOutside(note, "- by hand\n");
  world.ledgerStore.gate = () => {
    throw new Error("503");
  };
  await expect(world.classifier(lock).adopt(note)).rejects.toThrow("503");
  world.ledgerStore.gate = () => {};
  expect(await world.writer(lock).apply(world.operation(append("- ours"), note))).toMatchObject({
    ok: true,
  });
  expect(await world.classes(note)).toEqual(["waiting: - by hand", "agent: - ours"]);
});
