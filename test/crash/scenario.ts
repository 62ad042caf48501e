import type { ModelCall, Step } from "#test/doubles/model-script.ts";
import type { Person, PersonKind } from "./person.ts";
import type { Stage } from "./stage.ts";

/**
 * What happens in one conversation: what the person says and when, what the model does, and what must
 * be readable in the end. Everything is decided from what can be seen from outside, so that the play
 * goes on by itself wherever the Worker was killed.
 */
export interface Scenario {
  readonly name: string;
  readonly kinds: readonly PersonKind[];
  create(scene: Scene): Play;
}

export interface Play {
  readonly acts: readonly Act[];
  plan(call: ModelCall): Step | Promise<Step>;
  /** Words that must each be readable exactly once. */
  readonly answers: readonly string[];
  /** Words that may be readable, but not twice: of a turn that was stopped. */
  readonly maybe?: readonly string[];
  /** Words for which the unsafe tool may act at most once. */
  readonly unsafe?: readonly string[];
  /** What else is wrong in the end, in words. */
  problems?(): string[];
}

export interface Act {
  readonly say: string;
  /** Absent = at once. */
  readonly when?: () => boolean;
}

/** One run of a scenario, as far as it can be seen from outside. */
export interface Scene {
  /** Stands in each message of the person, so that the model knows whom it answers. */
  readonly tag: string;
  readonly kind: PersonKind;
  readonly stage: Stage;
  readonly person: Person;
  /** Acts whose delivery was acknowledged. */
  said: number;
  /** Requests the model got. */
  modelCalls: number;
  over: boolean;
}

/** Texts of finished messages: previews end in an ellipsis. */
export function finished(person: Person): string[] {
  return person.visible().filter((text) => !isPreview(text));
}

export function isPreview(text: string): boolean {
  return text.trimEnd().endsWith("…");
}

export function notices(person: Person): number {
  return finished(person).filter((text) => /may not have arrived/i.test(text)).length;
}
