import type { ForgetLines, ForgottenLines } from "#contract/agent-rpc.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { ForgetReport, ForgetSaid, ForgottenSaid } from "#contract/upkeep.ts";
import { describeError } from "#kit/redact.ts";
import { forgetSteps, type ForgetJob, type ForgetStore } from "./forget-store.ts";
import { lineHash } from "./line-hash.ts";

/**
 * Forgets facts everywhere, a bounded step at a time: what the object itself keeps, files with all that hangs
 * on them, what was said in conversations, archives, the files once more, for what a conversation handed over
 * meanwhile, and the index. A step that was interrupted is made again and changes nothing twice. A conversation
 * or a file that cannot be reached, and a step that always fails, is left out in the end and named: nothing
 * holds up the rest, or the next wish, for ever.
 */
export interface ForgettingPorts {
  readonly store: ForgetStore;
  /** Dreams, standing intents. Synchronous where it writes, and called in a transaction. */
  own(
    facts: readonly string[],
  ): Promise<() => { readonly intents: number; readonly dreams: number }>;
  files(request: ForgetLines): Promise<ForgottenLines>;
  /** The conversation that comes after this one; null = there is none. */
  nextSession(after: string | null): string | null;
  said(sessionKey: string, request: ForgetSaid): Promise<ForgottenSaid>;
  /** `onChange` is called before each archive that is changed, with its name; `next` as above. */
  archives(
    request: { readonly facts: readonly string[]; readonly after: string | null },
    onChange: (name: string) => void,
  ): Promise<{ readonly next: string | null }>;
  /** Lines of some of the other files that say it. */
  left(
    facts: readonly string[],
    after: string | null,
  ): Promise<{ readonly lines: readonly string[]; readonly next: string | null }>;
  /** Brings the index in step with some of the files: those behind a path. Where to go on; null = all are. */
  index(after: string | null): Promise<string | null>;
  /** A step of taking the words of what was removed out of the index's tables. The next one; null = none is left. */
  words(cursor: string | null): Promise<string | null>;
  readonly now: Now;
  readonly log: Log;
}

/** A conversation may be busy with a long turn, and the job is tried again later each time. */
const MAX_FAILURES = 8;

/** One step of the oldest job. `more`: call again. `failed`: call again later. Never rejects. */
export async function forgetStep(ports: ForgettingPorts): Promise<"done" | "more" | "failed"> {
  const [job] = ports.store.jobs();
  if (!job) return owedWords(ports);
  try {
    const next = await take(ports, job);
    if (next !== "stored") ports.store.transaction(() => keep(ports, next));
    return "more";
  } catch (error) {
    // Some of it may have been counted.
    return failed(ports, ports.store.jobs()[0] ?? job, describeError(error));
  }
}

/** What jobs that are over could not do: tried again until it is done. */
async function owedWords(ports: ForgettingPorts): Promise<"done" | "more" | "failed"> {
  const { store, log } = ports;
  const owed = store.owedWords();
  if (!owed) return "done";
  try {
    const next = await ports.words(owed.cursor);
    if (next === null) store.wordsAreGone();
    else store.oweWords(next);
    return next === null ? "done" : "more";
  } catch (error) {
    log.warn("forgetting.words_not_erased", { error: describeError(error) });
    return "failed";
  }
}

type Done = ForgetJob & { readonly done?: true };

async function take(ports: ForgettingPorts, job: ForgetJob): Promise<Done | "stored"> {
  switch (job.step) {
    case "own": {
      const change = await ports.own(job.facts);
      ports.store.transaction(() => {
        const { intents, dreams } = change();
        keep(ports, goOn(counting(job, { intents, dreams })));
      });
      return "stored";
    }
    case "files":
      return forgetFiles(ports, job, 1);
    case "said":
      return forgetSaid(ports, job);
    case "archives":
      return forgetInArchives(ports, job);
    case "files again":
      return forgetFiles(ports, job, 2);
    case "left":
      return lookAtRest(ports, job);
    case "index": {
      const next = await ports.index(job.cursor);
      return next === null ? goOn(job) : { ...job, cursor: next, failures: 0 };
    }
    case "words": {
      const next = await ports.words(job.cursor);
      if (next !== null) return { ...job, cursor: next, failures: 0 };
      ports.store.transaction(() => {
        // What an earlier one owed has gone with it.
        ports.store.wordsAreGone();
        keep(ports, goOn(job));
      });
      return "stored";
    }
  }
}

async function forgetFiles(ports: ForgettingPorts, job: ForgetJob, pass: number): Promise<Done> {
  const { id, facts, report } = job;
  const hashes = [...new Set(facts.map(lineHash))];
  const found = await ports.files({ operationId: `forget:${id}:${pass}`, hashes, texts: facts });
  // Failures are counted over all parts: a file that is refused is so at the end of each round.
  if (found.more) return job;
  const refused = found.refused.filter((path) => !report.unreached.includes(path));
  if (refused.length > 0 && job.failures + 1 < MAX_FAILURES) {
    throw new Error(`could not be changed: ${refused.join(", ")}`);
  }
  const lines = new Map(report.files.map((file) => [file.path, file.lines]));
  for (const { path, lines: more } of found.removed) lines.set(path, (lines.get(path) ?? 0) + more);
  const counted = counting(job, {
    files: [...lines].map(([path, count]) => ({ path, lines: count })),
    versions: report.versions + found.versions,
    unreached: [...report.unreached, ...refused],
  });
  return goOn(counted);
}

/** More than a person reads; and one such line is told in any case. */
const MAX_STILL = 20;

async function lookAtRest(ports: ForgettingPorts, job: ForgetJob): Promise<Done> {
  const { lines, next } = await ports.left(job.facts, job.cursor);
  const stillIn = [...job.report.stillIn, ...lines];
  const shown = stillIn.length > MAX_STILL ? [...stillIn.slice(0, MAX_STILL), "…"] : stillIn;
  const counted = counting(job, { stillIn: shown });
  return next === null ? goOn(counted) : { ...counted, cursor: next, failures: 0 };
}

/** A part of one conversation, or the step to the next one. */
async function forgetSaid(ports: ForgettingPorts, job: ForgetJob): Promise<Done> {
  const key = job.cursor ?? ports.nextSession(null);
  if (key === null) return goOn(job);
  const { id, facts, after, report } = job;
  const { changed, next, busy } = await ports.said(key, { id, facts, after });
  if (busy) throw new Error("something runs in the conversation");
  const counted = counting(job, {
    entries: report.entries + changed,
    conversations: next === null ? report.conversations + 1 : report.conversations,
  });
  if (next !== null) return { ...counted, cursor: key, after: next, failures: 0 };
  return toNext(ports, counted, key);
}

/** Counted before it is changed, since afterwards nobody would see that it was: once, if it is cut off there. */
async function forgetInArchives(ports: ForgettingPorts, job: ForgetJob): Promise<Done> {
  const { facts, cursor } = job;
  let counted = job;
  const { next } = await ports.archives({ facts, after: cursor }, (name) => {
    if (name === counted.after) return;
    counted = { ...counting(counted, { archives: counted.report.archives + 1 }), after: name };
    ports.store.transaction(() => ports.store.keepJob(counted));
  });
  return next === null ? goOn(counted) : { ...counted, cursor: next, failures: 0 };
}

function toNext(ports: ForgettingPorts, job: ForgetJob, key: string): Done {
  const next = ports.nextSession(key);
  if (next === null) return goOn(job);
  return { ...job, cursor: next, after: null, failures: 0 };
}

function counting(job: ForgetJob, change: Partial<ForgetReport>): ForgetJob {
  return { ...job, report: { ...job.report, ...change } };
}

function goOn(job: ForgetJob): Done {
  const next = forgetSteps[forgetSteps.indexOf(job.step) + 1];
  const fresh = { cursor: null, after: null, failures: 0 };
  return next === undefined ? { ...job, done: true } : { ...job, ...fresh, step: next };
}

function keep({ store, now }: ForgettingPorts, { done, ...job }: Done): void {
  if (done) store.finish(job, now());
  else store.keepJob(job);
}

function failed(ports: ForgettingPorts, job: ForgetJob, error: string): "more" | "failed" {
  const { store, log } = ports;
  const failures = job.failures + 1;
  log.warn("forgetting.step_failed", { id: job.id, step: job.step, failures, error });
  if (failures < MAX_FAILURES) {
    store.transaction(() => store.keepJob({ ...job, failures }));
    return "failed";
  }
  if (job.step === "words") {
    // Asking again would find nothing: so it is never given up, but nothing waits for it.
    store.transaction(() => {
      store.oweWords(job.cursor);
      keep(ports, goOn(job));
    });
    return "more";
  }
  const key = job.step === "said" ? (job.cursor ?? ports.nextSession(null)) : null;
  const name = key ?? STEP_NAMES[job.step];
  const named = counting(job, { unreached: [...new Set([...job.report.unreached, name])] });
  store.transaction(() => keep(ports, key === null ? goOn(named) : toNext(ports, named, key)));
  return "more";
}

/** For the person who is told what was not reached. */
const STEP_NAMES: Readonly<Record<ForgetJob["step"], string>> = {
  own: "dreams and standing intents",
  files: "some files of the memory",
  said: "some conversations",
  archives: "some archived transcripts",
  "files again": "some files of the memory",
  left: "files that are no memory",
  index: "the index",
  words: "the index",
};
