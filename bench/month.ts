import "./rig/text-modules.ts";
import { progress, report } from "./rig/figure.ts";

/**
 * `npm run bench -- month [--days 30] [--messages 40]`: a month of an invented owner's messages,
 * searches, poison and nights on the product's own memory, with no model, a reasonable and a bad one
 * (test/proofs/month.ts). A shorter one is a test.
 */
const { month } = await import("#test/proofs/month.ts");
const { bad, reasonable } = await import("#test/doubles/dream-models.ts");

const days = option("--days", 30);
const messages = option("--messages", 40);
const budget = 12_000;

for (const [name, model] of [
  ["none", null],
  ["reasonable", reasonable],
  ["bad", bad()],
] as const) {
  progress(`${days} days of ${messages} messages, model: ${name}`);
  const figures = await month({ days, messages, model, budget });
  for (const fault of figures.faults) progress(fault);
  const common = { n: days * messages, note: `model: ${name}` } as const;
  const { planted, kept, changed, replaced, noise, tainted } = figures;
  const share = { unit: "share", atLeast: 1, ...common } as const;
  report({ figure: "month facts kept", value: kept / planted, ...share });
  report({ figure: "month preferences replaced", value: replaced / changed, ...share });
  const none = { unit: "entries", atMost: 0, ...common } as const;
  report({ figure: "month noise promoted", value: noise, ...none });
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
