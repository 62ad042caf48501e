import { counted } from "#kit/text/counted.ts";
import type { ForgetOffer, ForgetProgress, ForgetReport } from "#contract/upkeep.ts";

/** Forgetting in words, for whoever asked for it. */
const MAX_SHOWN = 300;

export function forgetOfferText({ id, facts, more }: ForgetOffer): string {
  if (facts.length === 0) return "Nothing like that is in the memory.";
  const all = facts.length === 1 ? "it" : "all of it";
  return [
    "This would be forgotten, wherever it is said:",
    ...facts.map(({ text, where }, index) => `${index + 1}. ${shown(text)} (${places(where)})`),
    ...(more ? ["There is more like it; once this is gone, ask again."] : []),
    "",
    `/memory forget confirm ${id} forgets ${all}, for good.`,
    ...(facts.length > 1 ? [someOf(id, facts.length)] : []),
  ].join("\n");
}

/** With numbers that are there. */
function someOf(id: string, count: number): string {
  const [numbers, which] =
    count > 2 ? ["1 3", "those with these numbers"] : ["2", "the one with this number"];
  return `/memory forget confirm ${id} ${numbers} forgets only ${which}.`;
}

/** For a question with buttons. */
export function forgetQuestionText({ facts, more }: ForgetOffer): string {
  return [
    "Shall I forget this for good, wherever it is said?",
    ...facts.map(({ text, where }, index) => `${index + 1}. ${shown(text)} (${places(where)})`),
    ...(more ? ["There is more like it; once this is gone, ask again."] : []),
  ].join("\n");
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
}

function places(where: readonly string[]): string {
  const [first = "", ...others] = where;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

export function forgetProgressText(progress: ForgetProgress): string {
  if (progress.status === "unknown") {
    return "There is nothing to confirm under that name. /memory forget <text> looks anew.";
  }
  if (progress.status === "misnumbered") return misnumberedText(progress);
  if (progress.status === "done") return forgottenText(progress);
  return "Forgetting. It takes a while; I say so when it is done, and /memory status shows it.";
}

/** For who keeps what was offered, perhaps after having confirmed it. */
export function keptText(progress: ForgetProgress): string {
  if (progress.status === "running") {
    return "That was confirmed before and is being forgotten already, so it cannot be kept. I say so when it is done.";
  }
  if (progress.status === "done") {
    return `That was confirmed before, so it cannot be kept. ${forgottenText(progress)}`;
  }
  return "Kept: nothing was forgotten.";
}

type Progress<Status extends string> = Extract<ForgetProgress, { readonly status: Status }>;

function forgottenText({ report, wordsLeft }: Progress<"done">): string {
  return [forgetReportText(report), ...(wordsLeft ? [WORDS_LEFT] : [])].join("\n");
}

function lastForgottenText({ report, wordsLeft }: Progress<"done">): string {
  const { facts, files, unreached } = report;
  const lines = files.reduce((sum, each) => sum + each.lines, 0);
  const from = lines > 0 ? `, ${counted(lines, "line")} in ${counted(files.length, "file")}` : "";
  return [
    `Last forgotten: ${counted(facts, "fact")}${from}.`,
    ...(unreached.length > 0 ? [`Not reached: ${unreached.join(", ")}.`] : []),
    ...(wordsLeft ? [WORDS_LEFT] : []),
  ].join("\n");
}

const WORDS_LEFT =
  "Single words of it are still in the tables of the search, where nobody finds them: taking them out has failed so far and is tried again until it is done. /memory status shows it.";

/** For /memory status, which is looked at again and again: what was removed has been told; "" = nothing. */
export function forgetStatusText(progress: ForgetProgress | undefined): string {
  if (progress?.status === "done") return lastForgottenText(progress);
  if (progress?.status !== "running") return "";
  const failed =
    progress.failures === 0
      ? ""
      : ` The step it is at has failed ${counted(progress.failures, "time")} and is tried again.`;
  return `Something is being forgotten.${failed}`;
}

function misnumberedText({ id, facts }: { readonly id: string; readonly facts: number }): string {
  const there = facts === 1 ? "There is only number 1" : `The numbers go from 1 to ${facts}`;
  return `${there}; nothing was forgotten. /memory forget confirm ${id} forgets all of it.`;
}

/** For who gives a word to no offer, or not as it is read. */
export const FORGET_CONFIRM =
  "To confirm, write /memory forget confirm <name>, where <name> is the six characters I gave with what I found; behind it only numbers. /memory forget <text> looks anew.";

function forgetReportText(report: ForgetReport): string {
  const { files, versions, intents, dreams, entries, archives, unreached, stillIn } = report;
  const removed = [
    ...files.map(({ path, lines }) => `${counted(lines, "line")} in ${path}`),
    ...(versions > 0 ? [counted(versions, "kept version")] : []),
    ...(entries > 0
      ? [`${counted(entries, "message or result", "messages and results")} in conversations`]
      : []),
    ...(archives > 0 ? [counted(archives, "archived transcript")] : []),
    ...(dreams > 0 ? [`${counted(dreams, "text")} of dreaming`] : []),
    ...(intents > 0 ? [counted(intents, "standing intent")] : []),
  ];
  return [
    removed.length === 0
      ? "Nothing of it was there any more."
      : `Forgotten (${counted(report.facts, "fact")}): ${removed.join(", ")}. The index follows.`,
    ...(unreached.length > 0
      ? [`Not reached, and it may still be there: ${unreached.join(", ")}. Ask again later.`]
      : []),
    ...(stillIn.length > 0
      ? [`Still said in files that are no memory: ${stillIn.join(", ")}.`]
      : []),
    "Out of my reach: what was sent to a chat, files that came with messages, and what a model's server keeps. What only mentions a word of it stays: questions about it, searches, answers that say it in other words.",
  ].join("\n");
}
