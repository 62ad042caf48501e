import { setTimeout as sleep } from "node:timers/promises";
import { percentile, progress, report } from "./rig/figure.ts";
import { Site } from "./rig/site.ts";
import { productOptions, startDoubles, words } from "./rig/stage.ts";

/**
 * `npm run bench -- memory-turn [--sizes 50,50000] [--turns 100]`: what the memory takes of a turn. The
 * same product without memory (`memory.enabled: false`), and with one of each size, filled through its
 * own index; turns of all of them alternate, with an instant model. Three kinds of messages: such that
 * have nothing to do with memory, such that tell something to keep, and such that ask for something from
 * before, whose search and second model call are reported apart.
 */
const sizes = (option("--sizes") ?? "50,50000").split(",").map(Number);
const TURNS = Number(option("--turns") ?? 100);
const CONVERSATIONS = 4;
const LINES = 50;
const WARM_UP = 20;
/** What is kept is kept behind the answer: the next turn is not to meet it. */
const REST_MS = 2_500;
/** What memory may add to a message that has nothing to do with it. */
const AT_MOST_MS = 15;

const kinds = {
  plain: () => words(80),
  telling: () => `I live in ${words(8)}`,
  asking: () => `what did we say last week about ${words(20)}?`,
} as const;
type Kind = keyof typeof kinds;

const { doubles, ...identity } = await startDoubles({
  topics: (sizes.length + 1) * CONVERSATIONS + 1,
});
const sites = new Map<string, Site>();
try {
  await open("without", { memory: { enabled: false } });
  for (const size of sizes) {
    const site = await open(String(size), {});
    await fill(site, size);
  }
  await measure("plain", WARM_UP, false);
  await measure("plain", TURNS);
  await measure("telling", Math.min(TURNS, 20));
  await measure("asking", Math.min(TURNS, 40));
} finally {
  for (const [name, site] of sites) {
    for (const complaint of site.complaints()) progress(`${name} logged: ${complaint}`);
    await site.stop();
  }
  await doubles.stop();
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function open(name: string, config: object): Promise<Site> {
  const site = await Site.start({ ...productOptions(doubles, identity, config), name });
  sites.set(name, site);
  return site;
}

/** Notes as an earlier version of the product left them: its own, so that they are searched and trusted. */
async function fill(site: Site, size: number): Promise<void> {
  // Whoever is first makes the workspace.
  await site.turn(2, words(20));
  const bucket = await site.bucket();
  for (let written = 0; written < size; written += LINES) {
    const lines = Array.from({ length: Math.min(LINES, size - written) }, () => `- ${words(100)}`);
    await bucket.put(`agents/main/workspace/memory/seed-${written}.md`, lines.join("\n"), {
      customMetadata: { operations: `seed-${written}` },
    });
  }
  for (;;) {
    // A search compares the bucket with the index, and goes on indexing behind its answer.
    await site.command("/memory search seed");
    const status = await site.command("/memory status");
    const passages = Number(/passages: (\d+)/.exec(status)?.[1]);
    progress(`${site.name}: ${passages} of ${size} passages`);
    if (passages >= size && !status.includes("waiting")) return;
    await sleep(Math.min(10_000, size));
  }
}

async function measure(kind: Kind, turns: number, reported = true): Promise<void> {
  progress(`${kind}: ${turns} turns of each`);
  const times = new Map([...sites.keys()].map((name) => [name, [] as number[]]));
  const used = new Map([...sites].map(([name, site]) => [name, -site.processorMs()]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, [name, site]] of [...sites].entries()) {
      const topic = 2 + index * CONVERSATIONS + (turn % CONVERSATIONS);
      const { overheadMs } = await site.turn(topic, kinds[kind]());
      times.get(name)?.push(overheadMs);
      if (kind === "telling") await sleep(REST_MS);
    }
  }
  if (!reported) return;
  const p50 = (name: string) => percentile(times.get(name) ?? [], 0.5);
  for (const [name, site] of sites) used.set(name, (used.get(name) ?? 0) + site.processorMs());
  const processor = (name: string) => (used.get(name) ?? Number.NaN) / turns;
  for (const size of sizes.map(String)) {
    const common = { unit: "ms", n: turns, note: `${size} passages; floor: without memory` };
    const figure = `memory.turn.${kind}`;
    report({ figure: `${figure}.p50`, value: p50(size), floor: p50("without"), ...common });
    const added = p50(size) - p50("without");
    const target = kind === "asking" ? {} : { atMost: AT_MOST_MS };
    const apart = { unit: "ms", n: turns, note: `${size} passages` };
    report({ figure: `${figure}.added`, value: added, ...apart, ...target });
    report({
      figure: `${figure}.processor`,
      value: processor(size),
      floor: processor("without"),
      ...common,
    });
  }
}
