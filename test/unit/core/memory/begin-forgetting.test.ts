import { expect, test } from "vitest";
import { beginForgetting } from "#core/memory/begin-forgetting.ts";
import { ForgetStore } from "#core/memory/forget-store.ts";
import { MemoryDocuments } from "#test/doubles/documents.ts";

const id = "1a2b3c";
const how = { now: 1, sayingsOf: (fact: string) => [fact] };

function offering(...texts: string[]) {
  const store = new ForgetStore(new MemoryDocuments());
  const facts = texts.map((text) => ({ text, where: [] }));
  store.keepOffer({ id, at: 1, facts, more: false });
  const confirm = (...numbers: number[]) => {
    const chosen = numbers.length === 0 ? {} : { numbers };
    return beginForgetting(store, { id, sessionKey: "s", ...chosen }, how).status;
  };
  const withdraw = () => beginForgetting(store, { id, sessionKey: "s", numbers: [] }, how).status;
  const finish = () => {
    const [job] = store.jobs();
    if (job) store.finish(job, 2);
  };
  return { store, confirm, withdraw, finish };
}

test("the same word given again begins nothing anew, and tells how far it is", () => {
  const { store, confirm, finish } = offering("a", "b", "c");
  expect([confirm(1, 3), confirm(3), confirm(3, 1)]).toEqual(["running", "running", "running"]);
  expect(store.jobs().map(({ facts }) => facts)).toEqual([["a", "c"]]);
  finish();
  expect(confirm(1, 3)).toBe("done");
});

test("other numbers of an offer that is used up are not told to be forgotten", () => {
  const { store, confirm, finish } = offering("a", "b", "c");
  confirm(1);
  expect([confirm(2), confirm()]).toEqual(["unknown", "unknown"]);
  finish();
  expect([confirm(2), confirm()]).toEqual(["unknown", "unknown"]);
  expect(store.jobs()).toEqual([]);
});

test("an offer that was withdrawn is confirmed by no word given later, and others are", () => {
  const { store, confirm, withdraw } = offering("a", "b");
  store.keepOffer({ id: "other1", at: 1, facts: [{ text: "c", where: [] }], more: false });
  expect([withdraw(), confirm(), confirm(1), withdraw()]).toEqual(Array(4).fill("unknown"));
  expect(store.jobs()).toEqual([]);
  expect(store.offer("other1", 1)).not.toBeNull();
});

test.each([[[]], [[2]]])(
  "what was confirmed before (%j) goes on, and who withdraws it is told how far it is",
  (numbers) => {
    const { store, confirm, withdraw, finish } = offering("a", "b");
    confirm(...numbers);
    expect(withdraw()).toBe("running");
    expect(store.jobs()).toHaveLength(1);
    finish();
    expect(withdraw()).toBe("done");
  },
);

test("where all was chosen, any number of it is done", () => {
  const { confirm, finish } = offering("a", "b");
  confirm(1, 2);
  finish();
  expect([confirm(2), confirm()]).toEqual(["done", "done"]);
});
