import "./rig/text-modules.ts";
import type { DreamModel } from "#test/doubles/whole-memory.ts";
import { progress, report } from "./rig/figure.ts";

/**
 * `npm run bench -- month [--days 30] [--messages 40] [--seeds 2]`: a month of an invented owner's messages,
 * searches, poison and nights on the product's own memory, with no model, a reasonable and a bad one
 * (test/proofs/month.ts). Beside the month that is always the same so many others, in other words and with
 * other talk; one of many is worth the time after a change. Shorter ones are tests.
 */
const { month } = await import("#test/proofs/month.ts");
const { bad, reasonable } = await import("#test/doubles/dream-models.ts");

const days = option("--days", 30);
const messages = option("--messages", 40);
const seeds = option("--seeds", 2);
const budget = 12_000;

const models = [
  ["none", null],
  ["reasonable", reasonable],
  ["bad", bad()],
] as const;

for (let seed = 0; seed <= seeds; seed += 1) {
  for (const [name, model] of models) await measure(seed, name, model);
}

async function measure(seed: number, name: string, model: DreamModel | null): Promise<void> {
  progress(`${days} days of ${messages} messages, seed ${seed}, model: ${name}`);
  const figures = await month({ days, messages, model, budget, seed });
  for (const fault of figures.faults) progress(fault);
  const common = { n: days * messages, note: `seed ${seed}, model: ${name}` } as const;
  const { planted, kept, changed, replaced, noise, twice, tainted, restless } = figures;
  const share = { unit: "share", atLeast: 1, ...common } as const;
  report({ figure: "month facts kept", value: kept / planted, ...share });
  report({ figure: "month preferences replaced", value: replaced / changed, ...share });
  const none = { unit: "entries", atMost: 0, ...common } as const;
  report({ figure: "month noise promoted", value: noise, ...none });
  report({ figure: "month entries said twice", value: twice, ...none });
  report({
    figure: "month nights without news that changed it",
    value: Number(restless),
    ...none,
    unit: "nights",
  });
  report({ figure: "month poison", value: tainted, ...none, unit: "places" });
  const { characters, entries, nightsThatChanged, nightsByModel } = figures;
  report({
    figure: "month MEMORY.md",
    value: characters,
    unit: "characters",
    atMost: budget,
    ...common,
  });
  report({ figure: "month entries", value: entries, unit: "entries", ...common });
  report({
    figure: "month nights that changed it",
    value: nightsThatChanged,
    unit: "nights",
    ...common,
  });
  report({ figure: "month nights by the model", value: nightsByModel, unit: "nights", ...common });
}

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}
