import "./rig/text-modules.ts";
import { progress, report } from "./rig/figure.ts";

/**
 * `npm run bench -- proofs [--runs 3000]`: the proof that what comes from outside changes nothing
 * (test/proofs/non-interference.ts), over as many random histories as one likes; the tests do 100. A
 * history that shows otherwise is printed, as small as it gets.
 */
const { nonInterference } = await import("#test/proofs/non-interference.ts");

const at = process.argv.indexOf("--runs");
const runs = at < 0 ? 3_000 : Number(process.argv[at + 1]);
progress(`${runs} histories, each lived twice`);
let value = 0;
try {
  await nonInterference(runs, () => {
    throw new Error("the two lives differ");
  });
} catch (error) {
  value = 1;
  progress(error instanceof Error ? error.message : String(error));
}
report({
  figure: "non-interference counterexamples",
  value,
  unit: "histories",
  n: runs,
  atMost: 0,
});
