import type { AskRequest } from "./protocol.ts";

/** Evidence recall, mean over questions: of what a question needs, how much is among the first k. */
export interface Outcome {
  readonly category: string;
  /** Ids of the evidence that each result holds, best first. */
  readonly found: readonly (readonly string[])[];
  readonly evidence: readonly string[];
}

export interface FigureName {
  readonly figure: string;
  readonly unit: AskRequest["unit"];
  readonly mode: AskRequest["mode"] | "plain-bm25";
}

const ranks = [1, 5, 6, 10, 20] as const;

/** One JSON line for all questions, and one for each category. */
export function reportRecall(name: FigureName, outcomes: readonly Outcome[]): void {
  const categories = [...new Set(outcomes.map(({ category }) => category))].toSorted();
  for (const category of ["all", ...categories.filter((each) => each !== "all")]) {
    const rows = outcomes.filter((row) => category === "all" || row.category === category);
    const recalls = ranks.map((k) => [`recall@${k}`, percent(rows.map((row) => recall(row, k)))]);
    const hit = percent(rows.map((row) => (recall(row, 10) > 0 ? 1 : 0)));
    const line = { ...name, category, n: rows.length, ...Object.fromEntries(recalls) };
    console.log(JSON.stringify({ ...line, "hit@10": hit }));
  }
}

function recall({ found, evidence }: Outcome, k: number): number {
  const first = new Set(found.slice(0, k).flat());
  return evidence.filter((id) => first.has(id)).length / evidence.length;
}

function percent(shares: readonly number[]): number {
  const sum = shares.reduce((all, share) => all + share, 0);
  return Math.round((1000 * sum) / Math.max(1, shares.length)) / 10;
}
