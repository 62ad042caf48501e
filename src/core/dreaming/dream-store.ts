import { z } from "zod";
import { dreamRecordSchema, type DreamRecord } from "#contract/dreaming.ts";
import { dreamOutcomeSchema, type Documents, type DreamOutcome } from "#contract/dream-run.ts";
import { nightStateSchema, nightSteps, type NightState } from "./night-state.ts";
import { keepImage, type DreamImage } from "./undo.ts";

/**
 * What dreaming keeps from step to step and from night to night. What cannot be read (an older shape, a
 * broken row) reads as absent: a night then starts afresh, and loses nothing but its work so far.
 */
const storedNightSchema = z.object({
  state: nightStateSchema,
  /** Failures of the present step in a row. */
  failures: z.number().int(),
  /** The step that failed too often: the night is over. */
  broken: z.enum(nightSteps).optional(),
});

export interface StoredNight {
  readonly state: NightState;
  readonly failures: number;
  readonly broken?: NightState["step"] | undefined;
}

const imageSchema = z.object({
  runId: z.string(),
  at: z.number(),
  before: z.string().nullable(),
  afterHash: z.string(),
});

const OUTCOMES = 10;

export class DreamStore {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  transaction<T>(work: () => T): T {
    return this.#documents.transaction(work);
  }

  night(): StoredNight | null {
    return this.#read("dream.night", storedNightSchema) ?? null;
  }

  /** Null = no night is under way. */
  keepNight(night: StoredNight | null): void {
    if (night === null) this.#documents.remove("dream.night");
    else this.#documents.put("dream.night", night);
  }

  record(): DreamRecord {
    return this.#read("dream.record", dreamRecordSchema) ?? dreamRecordSchema.parse({});
  }

  keepRecord(record: DreamRecord): void {
    this.#documents.put("dream.record", record);
  }

  /** The latest first. */
  outcomes(): readonly DreamOutcome[] {
    return this.#read("dream.outcomes", z.array(dreamOutcomeSchema)) ?? [];
  }

  keepOutcome(outcome: DreamOutcome): void {
    const others = this.outcomes().filter(({ runId }) => runId !== outcome.runId);
    this.#documents.put("dream.outcomes", [outcome, ...others].slice(0, OUTCOMES));
  }

  images(): readonly DreamImage[] {
    return this.#read("dream.images", z.array(imageSchema)) ?? [];
  }

  keepImage(image: DreamImage): void {
    this.#documents.put("dream.images", keepImage(this.images(), image));
  }

  keepImages(images: readonly DreamImage[]): void {
    this.#documents.put("dream.images", images);
  }

  keepOutcomes(outcomes: readonly DreamOutcome[]): void {
    this.#documents.put("dream.outcomes", outcomes);
  }

  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const parsed = schema.safeParse(this.#documents.get(name));
    return parsed.success ? parsed.data : undefined;
  }
}
