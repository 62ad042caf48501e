import { setTimeout as sleep } from "node:timers/promises";
import { percentile, progress, report } from "./rig/figure.ts";
import type { Site } from "./rig/site.ts";
import { Stage, words } from "./rig/stage.ts";

/**
 * How long a platform waits for its 200 while messages come at a fixed rate, whether they are answered
 * in time or not (an open loop: each time counts from when the message was due to leave, so a stall
 * counts for everybody who had to queue behind it). Three crowds: many conversations that exist, a few
 * whose messages meet turns that are under way, and one where each message founds a conversation, which
 * no assistant of one person sees and this machine cannot keep up with: shown, but without a target.
 */
const PER_SECOND = 50;
const SECONDS = 10;
const MESSAGES = PER_SECOND * SECONDS;
const KNOWN_TOPICS = 200;
const SAME_TOPICS = 10;

const stage = await Stage.open({
  topics: 2 * (MESSAGES + KNOWN_TOPICS + SAME_TOPICS + 1),
});
try {
  await stage.warm();
  const known = new Map(stage.sites.map((site) => [site, stage.newTopics(KNOWN_TOPICS)]));
  progress(`${KNOWN_TOPICS} conversations of each`);
  for (const [site, topics] of known) {
    for (const topic of topics) await site.turn(topic, words(80));
  }
  await acknowledgement("acknowledge.known-chats", (site) => inTurn(known.get(site) ?? []), 5);
  await acknowledgement("acknowledge.same-chats", () => inTurn(stage.newTopics(SAME_TOPICS)), 5);
  await acknowledgement("acknowledge.new-chats", () => stage.newTopics(MESSAGES));
} finally {
  await stage.close();
}

function inTurn(topics: readonly number[]): number[] {
  return Array.from({ length: MESSAGES }, (_, index) => topics[index % topics.length] ?? 0);
}

async function acknowledgement(
  figure: string,
  topicsFor: (site: Site) => number[],
  atMost?: number,
): Promise<void> {
  const times = new Map<Site, number[]>();
  for (const site of stage.sites) {
    progress(`${figure}: ${site.name}, ${SECONDS} s`);
    times.set(site, await openLoop(site, topicsFor(site)));
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
      ...(name === "p99" && atMost !== undefined ? { atMost } : {}),
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
