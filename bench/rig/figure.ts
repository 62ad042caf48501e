/**
 * One figure = one JSON line on stdout. A figure that has a floor is judged by its ratio to it, because
 * both were taken in the same run on the same machine; the number alone means little elsewhere.
 */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** The same measurement of the bare Worker (floor/worker.ts), or of whatever `note` names. */
  readonly floor?: number;
  /** How many measurements are behind `value`. */
  readonly n: number;
  /** What the ratio to the floor, or the value where there is no floor, has to be. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly note?: string;
}

export function report({ atMost, atLeast, ...figure }: Figure): void {
  const ratio = figure.floor === undefined ? undefined : figure.value / figure.floor;
  const judged = ratio ?? figure.value;
  const of = ratio === undefined ? "value" : "ratio";
  const target =
    atMost !== undefined
      ? { target: `${of} <= ${atMost}`, ok: judged <= atMost }
      : atLeast !== undefined
        ? { target: `${of} >= ${atLeast}`, ok: judged >= atLeast }
        : {};
  const line = {
    ...figure,
    value: rounded(figure.value),
    ...(figure.floor === undefined ? {} : { floor: rounded(figure.floor) }),
    ...(ratio === undefined ? {} : { ratio: rounded(ratio) }),
    ...target,
  };
  console.log(JSON.stringify(line));
}

/** Progress, for whoever waits. */
export function progress(text: string): void {
  console.error(`  ${text}`);
}

/** The value below which the share `p` (0–1) of the samples lies; 0 for none. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
