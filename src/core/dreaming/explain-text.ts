import { counted } from "#kit/text/counted.ts";
import { weights, type Part } from "./deep.ts";
import type { Explanation } from "./explain.ts";

/** promote-explain for people: the nearest candidates, how each scores, and what it lacks. */
export function describeExplanations(text: string, found: readonly Explanation[]): string {
  if (found.length === 0) {
    return (
      `Nothing to keep that was said or noted in the last days, by you or by me, is near "${text}". ` +
      "Questions, small talk and what is over with its day are not looked at."
    );
  }
  return found.map(describe).join("\n\n");
}

function describe({ candidate, score, parts, path, failed }: Explanation): string {
  const shares = (Object.keys(weights) as Part[])
    .map((part) => `${part} ${parts[part].toFixed(2)}`)
    .join(", ");
  return [
    `“${candidate.text}” (${candidate.day}, ${candidate.trust === "owner" ? "your words" : "my note"})`,
    `- score ${score.toFixed(2)}: ${shares}`,
    `- ${counted(candidate.recalls.length, "recall")}, ${counted(candidate.mentions.length, "mention")}`,
    `- ${verdictOf({ path, failed })}`,
  ].join("\n");
}

/** What is known does not wait for more evidence, whatever it may lack. */
function verdictOf({ path, failed }: Pick<Explanation, "path" | "failed">): string {
  const known = failed.find(({ gate }) => gate === "new");
  if (known) return `settled: ${known.why}`;
  return failed.length === 0
    ? `ready (${path})`
    : `waits: ${failed.map(({ why }) => why).join("; ")}`;
}
