import type { Trust } from "#contract/transcript.ts";
import type { LinePlace, MemoryTrace } from "#contract/upkeep.ts";
import { wallTime } from "./wall-time.ts";

/** Where the memory has something from, in words for people and models. */
const BY: Readonly<Record<Trust, string>> = {
  owner: "the owner's words",
  agent: "worded by the assistant",
  system: "from the product",
  untrusted: "from outside",
};
const MAX_TEXT = 300;

export function tracesText(traces: readonly MemoryTrace[], timeZone = "UTC"): string {
  if (traces.length === 0) return "Nothing like that is in the memory.";
  return traces
    .map((trace) =>
      [
        `- ${placeText(trace, timeZone)}`,
        ...trace.from.map((one) => `  ← ${placeText(one, timeZone)}`),
      ].join("\n"),
    )
    .join("\n");
}

function placeText(
  { path, line, text, trust, at, session, waiting }: LinePlace,
  timeZone: string,
): string {
  if (line === null) return `${path} (the line is not there any more)`;
  const facts = [
    BY[trust],
    ...(at === null ? [] : [whenText(at, timeZone)]),
    ...(session === null ? [] : [`conversation ${session}`]),
    ...(waiting ? ["waits for /memory adopt"] : []),
  ];
  return `“${shortened(text ?? "")}” (${path}:${line}; ${facts.join(", ")})`;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}

function whenText(at: number, timeZone: string): string {
  const { day, time } = wallTime(at, timeZone);
  return `${day} ${time}`;
}
