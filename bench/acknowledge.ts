import { setTimeout as sleep } from "node:timers/promises";
import { percentile, progress, report } from "./rig/figure.ts";
import type { Site } from "./rig/site.ts";
import { Stage, words } from "./rig/stage.ts";

/**
 * How long a platform waits for its 200 while messages come at a fixed rate, whether they are answered
 * in time or not (an open loop: each time counts from when the message was due to leave, so a stall
 * counts for everybody who had to queue behind it). Once with a new topic for each message, once with the
 * same few topics, whose messages then meet turns that are under way.
 */
const PER_SECOND = 50;
const SECONDS = 10;
const MESSAGES = PER_SECOND * SECONDS;
const SAME_TOPICS = 10;

const stage = await Stage.open({ topics: 2 * (MESSAGES + SAME_TOPICS + 1) });
try {
  await stage.warm();
  await acknowledgement("acknowledge.new-chats", () => stage.newTopics(MESSAGES));
  await acknowledgement("acknowledge.same-chats", () => {
    const topics = stage.newTopics(SAME_TOPICS);
    return Array.from({ length: MESSAGES }, (_, index) => topics[index % SAME_TOPICS] ?? 0);
  });
} finally {
  await stage.close();
}

async function acknowledgement(figure: string, topicsFor: () => number[]): Promise<void> {
  const times = new Map<Site, number[]>();
  for (const site of stage.sites) {
    progress(`${figure}: ${site.name}, ${SECONDS} s`);
    times.set(site, await openLoop(site, topicsFor()));
    await site.quiet();
  }
  const of = (site: Site, share: number) => percentile(times.get(site) ?? [], share);
  for (const [name, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ] as const) {
    report({
      figure: `${figure}.${name}`,
      value: of(stage.product, share),
      unit: "ms",
      floor: of(stage.floor, share),
      n: MESSAGES,
      ...(name === "p99" ? { atMost: 5 } : {}),
      note: `${PER_SECOND} messages/s, every one of them starts a turn`,
    });
  }
}

/** Sends one message to each topic at the fixed rate; milliseconds from when each was due. */
async function openLoop(site: Site, topics: readonly number[]): Promise<number[]> {
  const from = performance.now();
  const said: Promise<number>[] = [];
  for (const [index, topic] of topics.entries()) {
    const due = from + (index * 1000) / PER_SECOND;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    said.push(site.say(topic, words(80)).then(() => performance.now() - due));
  }
  return Promise.all(said);
}
