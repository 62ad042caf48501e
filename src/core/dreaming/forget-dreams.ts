import { saysForgotten, withoutForgotten } from "#core/memory/forgotten.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { createForgetter } from "#kit/text/forget-text.ts";
import { forgetInValue } from "#kit/text/forget-value.ts";
import type { DreamOutcome } from "#contract/dream-run.ts";
import type { DreamStore } from "./dream-store.ts";
import type { DreamImage } from "./undo.ts";

/**
 * Takes facts out of what dreaming keeps: the versions for undoing, what it told of its nights, what it knows
 * MEMORY.md to say or to have said, and the night that is under way, which begins afresh another time. What it
 * knows by hash (sources that are dealt with) stays, so that nothing comes back. `present` is MEMORY.md as it is
 * before the facts are taken out of it: the last night can then still be undone. How many texts were changed.
 */
export function forgetInDreams(
  store: DreamStore,
  facts: readonly string[],
  present: string | null,
): number {
  const hashes = new Set(facts.map(lineHash));
  const { forget, finds } = createForgetter(facts);
  const isGone = saysForgotten(hashes, { finds });
  const without = (text: string) => withoutForgotten(text, isGone).text;
  const images = store.images();
  const changedImages = images.map((image, index) =>
    forgetInImage(image, images[index + 1]?.before ?? present, without),
  );
  const outcomes = store.outcomes();
  // A theme is a single word of whatever was said; which of them were of these facts nobody can tell.
  const changedOutcomes = outcomes.map((outcome) => ({
    ...(forgetInValue(outcome, forget) as DreamOutcome),
    themes: [],
  }));
  const record = store.record();
  const kept = <Said extends { text: string }>(list: readonly Said[]) =>
    list.filter(({ text }) => !isGone(text));
  const changedRecord = { stated: kept(record.stated), takenOut: kept(record.takenOut) };
  const night = store.night();
  store.keepImages(changedImages);
  store.keepOutcomes(changedOutcomes);
  store.keepRecord({ ...record, ...changedRecord });
  store.keepNight(null);
  const differing = (before: readonly unknown[], after: readonly unknown[]) =>
    before.filter((each, index) => JSON.stringify(each) !== JSON.stringify(after[index])).length;
  const isInNight =
    night !== null && JSON.stringify(night) !== JSON.stringify(forgetInValue(night, forget));
  return (
    differing(images, changedImages) +
    differing(outcomes, changedOutcomes) +
    (record.stated.length - changedRecord.stated.length) +
    (record.takenOut.length - changedRecord.takenOut.length) +
    (isInNight ? 1 : 0)
  );
}

/** `after`: what the night left, as far as that is known. */
function forgetInImage(
  image: DreamImage,
  after: string | null,
  without: (text: string) => string,
): DreamImage {
  const isKnown = after !== null && sha256Hex(after) === image.afterHash;
  return {
    ...image,
    before: image.before === null ? null : without(image.before),
    afterHash: isKnown ? sha256Hex(without(after)) : image.afterHash,
  };
}
