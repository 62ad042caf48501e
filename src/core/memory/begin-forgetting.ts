import type { ForgetProgress, ForgetRequest } from "#contract/upkeep.ts";
import { newJob, numbered, type ForgetStore } from "./forget-store.ts";

/**
 * Takes the word for an offer: once, however often it is given. Another word for the same offer, with
 * numbers that were not among those, begins nothing and is not told to be done: the offer is used up.
 * No numbers at all withdraw it.
 */
export function beginForgetting(
  store: ForgetStore,
  { id, numbers, sessionKey }: ForgetRequest,
  how: { readonly now: number; readonly sayingsOf: (fact: string) => readonly string[] },
): ForgetProgress {
  const known = [...store.jobs(), ...store.reports()].find((each) => each.id === id);
  if (known) {
    return isAmong(numbers, known.chosen) ? progressOf(store, id) : { status: "unknown" };
  }
  if (numbers?.length === 0) {
    store.transaction(() => store.dropOffer(id, how.now));
    return { status: "unknown" };
  }
  const facts = store.offer(id, how.now)?.facts ?? [];
  if (facts.length === 0) return { status: "unknown" };
  const chosen = numbered(facts, numbers);
  if (chosen === null) return { status: "misnumbered", id, facts: facts.length };
  const job = newJob({ id, sessionKey }, chosen, how.sayingsOf);
  const isAll = chosen.length === facts.length;
  store.transaction(() => store.keepJob(isAll ? job : { ...job, chosen: [...(numbers ?? [])] }));
  return progressOf(store, id);
}

function isAmong(
  numbers: readonly number[] | undefined,
  chosen: readonly number[] | undefined,
): boolean {
  if (chosen === undefined) return true;
  return numbers?.every((number) => chosen.includes(number)) ?? false;
}

/** How far the forgetting is that was begun by this offer. */
export function progressOf(store: ForgetStore, id: string): ForgetProgress {
  const job = store.jobs().find((each) => each.id === id);
  if (job) return { status: "running", id, report: job.report, failures: job.failures };
  const done = store.reports().find((each) => each.id === id);
  if (!done) return { status: "unknown" };
  const left = store.owedWords() === null ? {} : { wordsLeft: true as const };
  return { status: "done", id, report: done.report, ...left };
}
