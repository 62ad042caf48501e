import { planCalls, planNotes, type PlannedCall } from "./call.ts";
import { readIntent } from "./intent.ts";
import { bullets, exactLines, foundText, notesText, recalledText } from "./found.ts";
import { isGerman } from "./german.ts";
import { topicOf } from "./keywords.ts";
import { anything } from "./notes.ts";
import { abilities, chinese, english, type Phrases } from "./phrases.ts";
import type { RequestView } from "./request-view.ts";
import type { Intent } from "./rule.ts";
import { planSaid, saidText, type Looked, type Said } from "./said.ts";

/**
 * The demo's whole mind: a request → either tool calls or a text. Deterministic, and honest: it answers
 * from results only, says when a tool is missing or failed, and introduces itself once.
 */
export type Decision =
  | { readonly type: "calls"; readonly calls: readonly PlannedCall[] }
  | { readonly type: "text"; readonly text: string };

const shownCharacters = 3000;

export function decide(view: RequestView): Decision {
  const phrases = view.isChinese ? chinese : english;
  if (view.finished.length > 0) return goOn(view, phrases);
  if (view.said.some((text) => text.includes("HEARTBEAT_OK"))) {
    return { type: "text", text: phrases.heartbeat };
  }
  const intents = view.said.map(readIntent);
  const planned = intents.flatMap((intent) =>
    intent.type === "memory" && !view.hasTool("ls") ? planNotes(null) : planCalls(intent),
  );
  const possible = planned.filter(({ name }) => view.hasTool(name));
  if (possible.length > 0) return { type: "calls", calls: possible };
  const text = planned[0] ? phrases.noTool(planned[0].name) : talk(intents.at(-1), view, phrases);
  return { type: "text", text: introduced(view, phrases, text) };
}

/** Calls have come back: others that follow from them, or what they came to. */
function goOn(view: RequestView, phrases: Phrases): Decision {
  const folder = view.finished.find(isFolderOfNotes(view));
  const isRead = view.finished.some(
    ({ call }) => readInput(call.arguments)["pattern"] === anything,
  );
  if (folder && !isRead && view.hasTool("grep")) {
    return { type: "calls", calls: planNotes(folder.result.isError ? null : folder.result.text) };
  }
  const looked = view.finished.map(lookedOf);
  const more = view.hasTool("sessions_search") ? planSaid(looked) : [];
  if (more.length > 0) return { type: "calls", calls: more };
  const said = { looked, earlier: view.earlier };
  const told = isRead ? view.finished.filter((each) => each !== folder) : view.finished;
  const parts = merged(told)
    .filter(({ call }) => call.name !== "sessions_search")
    .map((each) => answered(each, said, phrases) ?? report(each.call, each.result, phrases));
  const next = suggestion(view, phrases);
  const languages = view.asked.some(isGerman) ? `\n\n${phrases.languages}` : "";
  return { type: "text", text: introduced(view, phrases, parts.join("\n\n") + next + languages) };
}

/** Asked for the notes, it looks first which there are. */
function isFolderOfNotes({ asked }: RequestView): (finished: Finished) => boolean {
  const isAsked = asked.some((text) => readIntent(text).type === "memory");
  return ({ call }) =>
    isAsked && call.name === "ls" && readInput(call.arguments)["path"] === "memory";
}

function introduced(view: RequestView, phrases: Phrases, text: string): string {
  return view.isFirstReply ? `${phrases.introduction}\n\n${text}` : text;
}

/** Answers that need no tool. */
function talk(intent: Intent | undefined, view: RequestView, phrases: Phrases): string {
  const can = abilities.filter((tool) => view.hasTool(tool));
  const list = can.map((tool) => `- ${phrases.abilities[tool]}`).join("\n");
  const offer = can.length === 0 ? "" : `\n\n${phrases.offer(list)}`;
  switch (intent?.type) {
    case "hello":
      return phrases.hello + offer;
    case "help":
      return phrases.help + offer;
    case "thanks":
      return phrases.thanks;
    case "remind":
      return phrases.remind + offer;
    case undefined:
      return phrases.nothingSaid + offer;
    default:
      // What is kept by rule is kept whether it was understood or not; only where nothing is, nothing is said.
      return `${phrases.unknown}${view.hasTool("memory_write") ? ` ${phrases.kept}` : ""}${offer}`;
  }
}

type Finished = RequestView["finished"][number];

/** Searches for the same words in several places are one answer. */
function merged(finished: readonly Finished[]): Finished[] {
  const searches = new Map<string, Finished>();
  const all: Finished[] = [];
  for (const each of finished) {
    const key = each.call.name === "grep" ? (readInput(each.call.arguments)["pattern"] ?? "") : "";
    const first = searches.get(key);
    if (key !== "" && first && !each.result.isError) {
      const text = `${first.result.text}\n${each.result.text}`;
      const joined = { ...first, result: { ...first.result, text } };
      all[all.indexOf(first)] = joined;
      searches.set(key, joined);
      continue;
    }
    if (key !== "" && !each.result.isError) searches.set(key, each);
    all.push(each);
  }
  return all;
}

function lookedOf({ call, result }: Finished): Looked {
  const query = readInput(call.arguments)["query"] ?? "";
  return { name: call.name, query, text: result.text, isError: result.isError };
}

/** Null: conversations say nothing about it either, or were not asked. */
function answered({ call, result }: Finished, said: Said, phrases: Phrases): string | null {
  const query = readInput(call.arguments)["query"] ?? "";
  if (call.name !== "memory_search" || exactLines(result.text, query).length > 0) return null;
  const list = saidText(said, query);
  return list === null ? null : phrases.said(list);
}

/** What a call came to, told from its result alone. */
function report(call: Finished["call"], result: Finished["result"], phrases: Phrases): string {
  if (result.isError) return phrases.failed(firstLines(result.text));
  const input = readInput(call.arguments);
  const path = input["path"] ?? "";
  switch (call.name) {
    case "write":
      return input["mode"] === "append" && path.startsWith("memory/")
        ? phrases.remembered(path)
        : input["mode"] === "overwrite"
          ? phrases.overwritten(path)
          : phrases.written(path);
    case "memory_write":
      return phrases.remembered(/memory\/[\w.-]+\.md/.exec(result.text)?.[0] ?? "memory");
    case "memory_search":
      return recalledText(result.text, input["query"] ?? "", phrases);
    case "edit":
      return phrases.written(path);
    case "grep":
      return input["pattern"] === anything
        ? notesText(result.text, phrases)
        : foundText(result.text, input["pattern"] ?? "", phrases);
    case "read":
      return phrases.file(path, fenced(result.text));
    case "ls":
      return phrases.files(bullets(result.text.split("\n")));
    case "message":
      return phrases.sent;
    default:
      return firstLines(result.text);
  }
}

/** A note was made: one question that shows it was. */
function suggestion(view: RequestView, phrases: Phrases): string {
  const { call, result } = view.finished.at(-1) ?? {};
  if (call?.name !== "memory_write" || result?.isError || !view.hasTool("memory_search")) return "";
  const fact = readInput(call.arguments)["text"];
  return fact === undefined ? "" : ` ${phrases.askNext(topicOf(fact))}`;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${firstLines(text)}\n${fence}`;
}

function firstLines(text: string): string {
  if (text.length <= shownCharacters) return text.trimEnd();
  return `${text.slice(0, shownCharacters).toWellFormed()}…`;
}

function readInput(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text);
    const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
    return Object.fromEntries(entries.map(([key, member]) => [key, String(member)]));
  } catch {
    return {}; // Not ours: we write whole objects only.
  }
}
