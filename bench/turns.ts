import { setTimeout as sleep } from "node:timers/promises";
import { percentile, progress, report } from "./rig/figure.ts";
import type { Site } from "./rig/site.ts";
import { Stage, words } from "./rig/stage.ts";

/**
 * What the product itself takes of a turn with an instant model: from the webhook's departure to the
 * arrival of the answer at the platform, and how many turns it gets through when eight conversations
 * never pause. Turns of the floor and of the product alternate.
 */
const TURNS = 200;
const CONVERSATIONS = 8;
const BLOCK_MS = 4_000;
const BLOCKS = 3;

const stage = await Stage.open({ topics: 2 * (TURNS / 4 + 2 * CONVERSATIONS + 1) });
try {
  await stage.warm();
  await overhead("turn.overhead", TURNS, rotating(CONVERSATIONS));
  await overhead("turn.first.overhead", TURNS / 4, () => stage.newTopic());
  await throughput();
} finally {
  await stage.close();
}

/** The same few topics over and over, those of one site apart from those of the other. */
function rotating(count: number): (site: Site, turn: number) => number {
  const topics = new Map(stage.sites.map((site) => [site, stage.newTopics(count)]));
  return (site, turn) => topics.get(site)?.[turn % count] ?? 0;
}

async function overhead(
  figure: string,
  turns: number,
  topicOf: (site: Site, turn: number) => number,
): Promise<void> {
  progress(`${figure}: ${turns} turns of each`);
  const times = new Map<Site, number[]>(stage.sites.map((site) => [site, []]));
  const used = new Map(stage.sites.map((site) => [site, -site.processorMs()]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const site of stage.sites) {
      const { overheadMs } = await site.turn(topicOf(site, turn), words(80));
      times.get(site)?.push(overheadMs);
    }
  }
  for (const site of stage.sites) used.set(site, (used.get(site) ?? 0) + site.processorMs());
  const of = (site: Site, share: number) => percentile(times.get(site) ?? [], share);
  for (const [name, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ] as const) {
    const floor = of(stage.floor, share);
    const value = of(stage.product, share);
    report({
      figure: `${figure}.${name}`,
      value,
      unit: "ms",
      floor,
      n: turns,
      ...(figure === "turn.overhead" ? { atMost: 3 } : {}),
    });
  }
  const perTurn = (site: Site) => (used.get(site) ?? Number.NaN) / turns;
  report({
    figure: `${figure}.processor`,
    value: perTurn(stage.product),
    unit: "ms",
    floor: perTurn(stage.floor),
    n: turns,
    note: "processor time of the whole runtime process for each turn",
  });
}

async function throughput(): Promise<void> {
  progress(`turns/s: ${BLOCKS} blocks of ${BLOCK_MS} ms each`);
  const done = new Map<Site, number>();
  let seconds = 0;
  const topicOf = rotating(CONVERSATIONS);
  for (let block = 0; block < BLOCKS; block += 1) {
    for (const site of stage.sites) {
      const topics = Array.from({ length: CONVERSATIONS }, (_, index) => topicOf(site, index));
      done.set(site, (done.get(site) ?? 0) + (await countTurns(site, topics)));
      await sleep(300);
    }
    seconds += BLOCK_MS / 1000;
  }
  const rate = (site: Site) => (done.get(site) ?? 0) / seconds;
  report({
    figure: "turns.rate",
    value: rate(stage.product),
    unit: "turns/s",
    floor: rate(stage.floor),
    n: done.get(stage.product) ?? 0,
    atLeast: 0.35,
    note: `${CONVERSATIONS} conversations at once, each without a pause`,
  });
}

/** Turns that were answered within a block; what is under way at its end is waited for, not counted. */
async function countTurns(site: Site, topics: readonly number[]): Promise<number> {
  const until = performance.now() + BLOCK_MS;
  let count = 0;
  await Promise.all(
    topics.map(async (topic) => {
      while (performance.now() < until) {
        await site.turn(topic, words(80));
        if (performance.now() < until) count += 1;
      }
    }),
  );
  return count;
}
