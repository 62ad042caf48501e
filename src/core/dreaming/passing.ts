import { sentencesOf } from "#core/memory/sentences.ts";
import { isTrivial } from "./content.ts";
import { namesTheDay } from "./moment.ts";
import * as talk from "./passing-forms.ts";
import { subjectKey } from "./supersede.ts";

/**
 * Talk of the moment: greetings, questions and requests to the assistant, moods, weather, errands,
 * reminders, how a build is doing. However often it is said, and even looked for, it is over soon and is
 * nothing to keep for good; it stays in its transcript, where a search finds it. By form, since no word
 * decides it alone: a habit ("every Monday"), a change of somebody's life ("moved", "is allergic") or a
 * settled subject is kept whatever else the sentence has. A text passes only if all its sentences do.
 * What the owner asks to be remembered is not asked here.
 */
export function isPassing(text: string): boolean {
  const sentences = sentencesOf(text.normalize("NFKC").replaceAll("’", "'"));
  return sentences.length > 0 && sentences.every(passes);
}

function passes(sentence: string): boolean {
  const plain = sentence.replace(talk.address, "").trim();
  if (isTrivial(plain) || hasForm(plain, talk.manners)) return true;
  if (hasForm(plain, talk.questions)) return true;
  if (talk.habit.test(plain) || settles(plain)) return false;
  if (hasForm(plain, talk.requests)) return true;
  if (talk.turningPoint.test(plain)) return false;
  return namesTheDay(plain) || isOccasion(plain) || hasForm(plain, talk.states);
}

/** Something to do, or a meeting, at a time that comes once. */
function isOccasion(plain: string): boolean {
  if (hasForm(plain, talk.errands)) return true;
  return hasForm(plain, talk.times) && hasForm(plain, talk.occasions);
}

/** What somebody likes of a day or a meal settles nothing that lasts. */
function settles(plain: string): boolean {
  const key = subjectKey(plain);
  return key !== null && !(key.startsWith("like:") && namesTheDay(plain));
}

function hasForm(plain: string, forms: readonly RegExp[]): boolean {
  return forms.some((form) => form.test(plain));
}
