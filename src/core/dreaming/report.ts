import type { MemoryChange, MemoryPlan } from "#contract/dreaming.ts";
import type { Part } from "./deep.ts";
import { weights } from "./deep.ts";
import { blockEnd, blockStart } from "./evidence.ts";
import { textOf } from "./memory-file.ts";
import type { NightState, ReportAppend } from "./night-state.ts";

/**
 * What a night writes for its owner to read: an entry of DREAMS.md where it changed something, and a
 * report of each phase that found something. None of it is ever read back: DREAMS.md and
 * memory/dreaming/ are no sources, and the reports stand between marks that dreaming leaves out besides.
 */
export function reportAppends(state: NightState): ReportAppend[] {
  const { plan, today, runId } = state;
  const dreams =
    plan && plan.changes.length + plan.noRoom.length > 0 ? dreamsEntry(state, plan) : null;
  const files: [string, string | null][] = [
    [`memory/dreaming/light/${today}.md`, phaseReport("light", lightLines(state))],
    [`memory/dreaming/rem/${today}.md`, phaseReport("rem", remLines(state))],
    [`memory/dreaming/deep/${today}.md`, phaseReport("deep", deepLines(state))],
    ["DREAMS.md", dreams],
  ];
  return files.flatMap(([path, text]) =>
    text === null ? [] : [{ path, text, operationId: `${runId}:report:${path}` }],
  );
}

function phaseReport(phase: string, lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  return [blockStart, `# ${phase}`, "", ...lines, blockEnd, ""].join("\n");
}

function lightLines({ light }: NightState): string[] {
  return light.map(
    ({ text, source, strength }) =>
      `- ${oneLine(text)} (strength ${strength.toFixed(2)}, ${source})`,
  );
}

function remLines({ rem }: NightState): string[] {
  const themes = rem.themes.map(({ tag, candidates }) => `${tag} (${candidates})`);
  return [
    ...(themes.length > 0 ? [`Themes: ${themes.join(", ")}`, ""] : []),
    ...rem.truths.map(
      ({ text, source, confidence }) =>
        `- ${oneLine(text)} (confidence ${confidence.toFixed(2)}, ${source})`,
    ),
  ];
}

function deepLines({ ready, waiting }: NightState): string[] {
  return [...ready, ...waiting].map(({ candidate, score, parts, path, failed }) => {
    const shares = (Object.keys(weights) as Part[])
      .map((part) => `${part} ${parts[part].toFixed(2)}`)
      .join(", ");
    const outcome =
      failed.length === 0 ? `ready (${path})` : failed.map(({ why }) => why).join("; ");
    return `- ${oneLine(candidate.text)} (score ${score.toFixed(2)}: ${shares}; ${candidate.source}): ${outcome}`;
  });
}

const headings: readonly [MemoryChange["type"], string][] = [
  ["added", "Added"],
  ["merged", "Merged"],
  ["superseded", "Replaced"],
  ["retired", "Retired"],
];

function dreamsEntry(state: NightState, plan: MemoryPlan): string {
  const sections = headings.flatMap(([type, heading]) => {
    const changes = plan.changes.filter((change) => change.type === type);
    return changes.length === 0 ? [] : [`### ${heading}`, "", ...changes.map(changeLine), ""];
  });
  const noRoom = plan.noRoom.map((text) => `- ${oneLine(text)}`);
  return [
    `## ${state.today}`,
    "",
    plan.diary ?? diaryFromCode(plan),
    "",
    ...sections,
    ...(noRoom.length > 0 ? ["### No room", "", ...noRoom, ""] : []),
    ...(state.refused === null ? [] : [`By rule, without the model: ${state.refused}.`, ""]),
    ...diffLines(textOf(state.file.lines), textOf(plan.lines)),
    "",
  ].join("\n");
}

function changeLine({ text, replaced, sources }: MemoryChange): string {
  const from = sources.length > 0 ? ` (from ${sources.slice(0, 3).join(", ")})` : "";
  const old = replaced.map((one) => `“${oneLine(one)}”`).join(", ");
  if (text === null) return `- ${old}`;
  return `- ${oneLine(text)}${replaced.length > 0 ? `, instead of ${old}` : ""}${from}`;
}

/** The night in the agent's voice, where no model told it. */
export function diaryFromCode({ changes, noRoom }: Pick<MemoryPlan, "changes" | "noRoom">): string {
  const count = (type: MemoryChange["type"]) => changes.filter((one) => one.type === type).length;
  const parts = [
    said(count("added"), "I kept", "new thing", ""),
    said(count("merged"), "I put together", "memory", " that belonged together"),
    said(count("superseded"), "I changed my mind about", "thing", " that had become different"),
    said(count("retired"), "I let go of", "old thing", " to make room"),
    said(noRoom.length, "I found no room for", "thing", ""),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "A quiet night." : `${parts.join(". ")}.`;
}

function said(count: number, verb: string, noun: string, rest: string): string {
  if (count === 0) return "";
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${verb} ${count === 1 ? `one ${noun}` : `${count} ${plural}`}${rest}`;
}

/** Lines that went and came; entries are one line each, so no finer diff says more. */
export function diffLines(before: string, after: string): string[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const gone = minus(old, fresh).map((line) => `- ${line}`);
  const come = minus(fresh, old).map((line) => `+ ${line}`);
  if (gone.length + come.length === 0) return [];
  const fence = longestRun([...gone, ...come].join("\n"));
  return [`${fence}diff`, ...gone, ...come, fence];
}

function minus(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0 && line.trim() !== "";
  });
}

/** A fence that no text inside can close. */
function longestRun(text: string): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  return "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/<!--|-->/g, " ")
    .trim();
}
