import { z } from "zod";
import { sha256Hex } from "#kit/sha256.ts";
import type { Documents } from "#contract/dream-run.ts";
import {
  forgetFactSchema,
  forgetReportSchema,
  type ForgetFact,
  type ForgetReport,
} from "#contract/upkeep.ts";

/**
 * What is kept of forgetting: offers that wait for a word, the work that is under way, and reports. Only
 * here, and only until it is done, the facts themselves stand once more. What cannot be read reads as
 * absent.
 */
export const forgetSteps = [
  "own",
  "files",
  "said",
  "archives",
  "files again",
  "left",
  "index",
  "words",
] as const;

const jobSchema = z.object({
  id: z.string(),
  /** Who is told. */
  sessionKey: z.string(),
  facts: z.array(z.string()),
  step: z.enum(forgetSteps),
  /** How far the step is, in its own terms. */
  cursor: z.string().nullable(),
  /** Within the conversation that `cursor` names; of archives: the last one that was changed. */
  after: z.string().nullable(),
  failures: z.number(),
  /** Numbers of the offer that are meant; absent = all. */
  chosen: z.array(z.number()).optional(),
  report: forgetReportSchema,
});
export type ForgetJob = z.infer<typeof jobSchema>;

const offerSchema = z.object({
  id: z.string(),
  at: z.number(),
  facts: z.array(forgetFactSchema),
  more: z.boolean(),
});
export type KeptOffer = z.infer<typeof offerSchema>;

const doneSchema = z.object({
  id: z.string(),
  at: z.number(),
  chosen: z.array(z.number()).optional(),
  report: forgetReportSchema,
});
export type DoneForgetting = z.infer<typeof doneSchema>;

const OFFERS = 5;
const OFFER_MS = 30 * 60_000;
const REPORTS = 5;

/** By which an offer is confirmed: the same for the same key. */
export function forgetId(key: string): string {
  return sha256Hex(`forget:${key}`).slice(0, 6);
}

export class ForgetStore {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  transaction<T>(work: () => T): T {
    return this.#documents.transaction(work);
  }

  offer(id: string, now: number): KeptOffer | null {
    return this.#offers(now).find((offer) => offer.id === id) ?? null;
  }

  keepOffer(offer: KeptOffer): void {
    const others = this.#offers(offer.at).filter(({ id }) => id !== offer.id);
    this.#documents.put("forget.offers", [...others, offer].slice(-OFFERS));
  }

  /** Its owner keeps it: no word given later confirms it. */
  dropOffer(id: string, now: number): void {
    this.#documents.put(
      "forget.offers",
      this.#offers(now).filter((offer) => offer.id !== id),
    );
  }

  /** Oldest first. */
  jobs(): readonly ForgetJob[] {
    return this.#read("forget.jobs", z.array(jobSchema)) ?? [];
  }

  keepJob(job: ForgetJob): void {
    const known = this.jobs().some(({ id }) => id === job.id);
    const jobs = known
      ? this.jobs().map((each) => (each.id === job.id ? job : each))
      : [...this.jobs(), job];
    this.#documents.put("forget.jobs", jobs);
  }

  /** The latest first. */
  reports(): readonly DoneForgetting[] {
    return this.#read("forget.reports", z.array(doneSchema)) ?? [];
  }

  /** Its facts go with it; and so do all offers, which may say them, too. */
  finish({ id, chosen, report }: ForgetJob, at: number): void {
    const others = this.reports().filter((each) => each.id !== id);
    const done = { id, at, ...(chosen ? { chosen } : {}), report };
    this.#documents.put("forget.reports", [done, ...others].slice(0, REPORTS));
    this.#documents.put(
      "forget.jobs",
      this.jobs().filter((each) => each.id !== id),
    );
    this.#documents.remove("forget.offers");
  }

  /** How far the words of what was removed are taken out, where no job does it any more; null = nothing is owed. */
  owedWords(): { readonly cursor: string | null } | null {
    return this.#read("forget.words", z.object({ cursor: z.string().nullable() })) ?? null;
  }

  oweWords(cursor: string | null): void {
    this.#documents.put("forget.words", { cursor });
  }

  wordsAreGone(): void {
    this.#documents.remove("forget.words");
  }

  #offers(now: number): readonly KeptOffer[] {
    const kept = this.#read("forget.offers", z.array(offerSchema)) ?? [];
    return kept.filter(({ at }) => Math.abs(now - at) < OFFER_MS);
  }

  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const parsed = schema.safeParse(this.#documents.get(name));
    return parsed.success ? parsed.data : undefined;
  }
}

/** The facts of an offer with these numbers, or all of them; null = it has not all of these numbers. */
export function numbered(
  facts: readonly ForgetFact[],
  numbers?: readonly number[],
): readonly ForgetFact[] | null {
  if (numbers === undefined) return facts;
  if (numbers.some((number) => number < 1 || number > facts.length)) return null;
  return facts.filter((_fact, index) => numbers.includes(index + 1));
}

/** `sayingsOf`: a fact in all the ways in which it is looked for. */
export function newJob(
  { id, sessionKey }: Pick<ForgetJob, "id" | "sessionKey">,
  facts: readonly ForgetFact[],
  sayingsOf = (fact: string): readonly string[] => [fact],
): ForgetJob {
  const report: ForgetReport = {
    facts: facts.length,
    files: [],
    versions: 0,
    intents: 0,
    dreams: 0,
    conversations: 0,
    entries: 0,
    archives: 0,
    unreached: [],
    stillIn: [],
  };
  const texts = [...new Set(facts.flatMap(({ text }) => sayingsOf(text)))];
  const at = { step: "own" as const, cursor: null, after: null, failures: 0 };
  return { id, sessionKey, facts: texts, ...at, report };
}
