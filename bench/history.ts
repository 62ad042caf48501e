import { percentile, progress, report } from "./rig/figure.ts";
import { Stage, words } from "./rig/stage.ts";

/**
 * Does a long conversation cost more than a short one? The overhead of a turn with about 50 and with
 * about 5,000 stored entries, in turns that alternate. Both are seeded through the webhook: bursts of
 * messages that wait while the model takes its time become one turn, each message an entry of its own.
 */
const SHORT = 50;
const LONG = 5_000;
const BURST = 50;
const TURNS = 60;
/** The short conversation would grow under the measurement: there are several of it. */
const SHORT_TOPICS = 6;

const stage = await Stage.open({
  topics: SHORT_TOPICS + 8,
  config: { queue: { mode: "collect", cap: 200 } },
});
try {
  await stage.warm();
  const long = stage.newTopic();
  const short = stage.newTopics(SHORT_TOPICS);
  await seed(long, LONG);
  for (const topic of short) await seed(topic, SHORT);
  await compare(short, long);
} finally {
  await stage.close();
}

async function seed(topic: number, entries: number): Promise<void> {
  progress(`storing ${entries} entries`);
  stage.doubles.play({ answer: words(400), delayMs: 50 });
  // The first of a burst is a turn of its own, the others, which meet it, are the next: two answers.
  const messages = BURST - 2;
  for (let stored = 0; stored < entries; stored += BURST) {
    const burst = Array.from({ length: messages }, () => stage.product.say(topic, words(120)));
    await Promise.all(burst);
    await stage.product.quiet(100);
  }
  stage.doubles.play({ answer: words(400), delayMs: 0 });
  await stage.product.quiet();
  // Bursts that came slower made fewer answers.
  const missing = entries - (await stage.product.storedEntries(topic));
  for (let stored = 0; stored < missing; stored += 2) await stage.product.turn(topic, words(120));
}

async function compare(short: readonly number[], long: number): Promise<void> {
  progress(`overhead: ${TURNS} turns of each`);
  const times = { short: [] as number[], long: [] as number[], floor: [] as number[] };
  const topic = stage.newTopic();
  for (let turn = 0; turn < TURNS; turn += 1) {
    const few = short[turn % short.length] ?? 0;
    times.short.push((await stage.product.turn(few, words(120))).overheadMs);
    times.long.push((await stage.product.turn(long, words(120))).overheadMs);
    times.floor.push((await stage.floor.turn(topic, words(120))).overheadMs);
  }
  const p50 = (samples: readonly number[]) => percentile(samples, 0.5);
  const common = { unit: "ms", n: TURNS } as const;
  report({
    ...common,
    figure: `history.${SHORT}.overhead.p50`,
    value: p50(times.short),
    floor: p50(times.floor),
  });
  report({
    ...common,
    figure: `history.${LONG}.overhead.p50`,
    value: p50(times.long),
    floor: p50(times.short),
    atMost: 1.3,
    note: `floor: the same with ${SHORT} entries; stored at the end: ${await stage.product.storedEntries(long)}`,
  });
}
