import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Runtime } from "#test/harness/runtime.ts";
import { temporaryDirectory } from "#test/harness/wait.ts";
import { costFigures } from "./memory/cost.ts";
import { reportRecall, type Outcome } from "./memory/figures.ts";
import { Notes } from "./memory/notes.ts";
import type { Answer, AskRequest, FilesRequest, PlainRequest } from "./memory/protocol.ts";
import { bfclSchema, cjkSchema, locomoSchema } from "./memory/data.ts";
import { progress } from "./rig/figure.ts";

/**
 * `npm run bench -- memory --data DIR [--only locomo,bfcl,cjk,cost]`: how much of what a question needs
 * is found, by the product's own index and search in a Worker on a real D1 (memory/worker.ts), beside
 * plain BM25 in the same run. DIR holds locomo*.json, bfcl*.json and cjk*.json; what is missing is named
 * and skipped. `unit: turn` ranks lines; `unit: notes` takes the rows a person would get, of at most 400
 * tokens, each with the lines it covers.
 */
const modes = ["keyword", "vector", "hybrid"] as const;
const MAX_ROW_TOKENS = 400;

const data = option("--data");
const only = option("--only")?.split(",") ?? ["locomo", "bfcl", "cjk", "cost"];
const home = temporaryDirectory();
const runtime = await Runtime.start({
  directory: home.path,
  config: "bench/memory/wrangler.toml",
});

async function call<Result>(path: string, body: object): Promise<Result> {
  const response = await runtime.fetch(path, { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Result;
}
const index = (request: FilesRequest) => call<{ passages: number }>("/files", request);
const ask = (request: AskRequest) => call<Answer[]>("/ask", request);
const clear = (agent: string) => call<object>("/clear", { agent });
const plain = (request: PlainRequest) => call<string[][]>("/plain", request);

try {
  for (const file of files("locomo")) await locomo(file);
  for (const file of files("bfcl")) await bfcl(file);
  for (const file of files("cjk")) await cjk(file);
  if (only.includes("cost")) await costFigures({ index, ask, call });
} finally {
  await runtime.stop();
  home.remove();
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

function files(name: string): string[] {
  if (!only.includes(name)) return [];
  if (data === undefined) {
    progress(`${name}: skipped, there is no --data`);
    return [];
  }
  const folder = resolve(data);
  const found = readdirSync(folder).filter(
    (file) => file.startsWith(name) && file.endsWith(".json"),
  );
  if (found.length === 0) progress(`${name}: skipped, there is no ${name}*.json in ${folder}`);
  return found.map((file) => join(folder, file));
}

function read(file: string): unknown {
  progress(file);
  return JSON.parse(readFileSync(file, "utf8"));
}

async function locomo(file: string): Promise<void> {
  const outcomes = new Map<string, Outcome[]>();
  const keep = (key: string, rows: readonly Outcome[]) =>
    outcomes.set(key, [...(outcomes.get(key) ?? []), ...rows]);
  for (const conversation of locomoSchema.parse(read(file))) {
    const notes = new Notes();
    const documents = conversation.sessions.flatMap(({ date, turns }) => {
      notes.addSession(date, turns);
      return turns.map(({ id, speaker, text, image }) => {
        const caption = image === undefined ? "" : ` [image: ${image}]`;
        return { id, text: `[${date}] ${speaker}: ${text}${caption}` };
      });
    });
    const agent = conversation.id;
    const asked = conversation.questions.filter(({ category }) => category !== "adversarial");
    const questions = asked.map(({ question }) => question);
    const { passages } = await index({ agent, files: notes.files });
    progress(
      `${agent}: ${documents.length} turns, ${passages} passages, ${asked.length} questions`,
    );
    const floor = await plain({ table: agent, documents, questions });
    keep(
      "turn plain-bm25",
      asked.map((each, at) => ({ ...each, found: (floor[at] ?? []).map((id) => [id]) })),
    );
    for (const unit of ["turn", "notes"] as const) {
      for (const mode of unit === "turn" ? modes : (["keyword", "hybrid"] as const)) {
        const answers = await ask({ agent, mode, unit, today: notes.today, questions });
        keep(
          `${unit} ${mode}`,
          asked.map((each, at) => ({
            ...each,
            found: (answers[at]?.rows ?? []).map((row) =>
              row.tokens > MAX_ROW_TOKENS ? [] : notes.within(each.evidence, row),
            ),
          })),
        );
      }
    }
    await clear(agent);
  }
  for (const [key, rows] of outcomes) {
    const [unit, mode] = key.split(" ") as ["turn", "keyword"];
    reportRecall({ figure: "locomo", unit, mode }, rows);
  }
}

async function bfcl(file: string): Promise<void> {
  const { turns, questions: all } = bfclSchema.parse(read(file));
  const outcomes = new Map<string, Outcome[]>();
  for (const [scenario, messages] of Object.entries(turns)) {
    const agent = `bfcl-${scenario.toLowerCase().replaceAll(/[^a-z0-9]/g, "-")}`;
    const notes = new Notes();
    for (const { id, text } of messages) {
      const conversation = id.replace(/#.*$/, "").replaceAll(/[^A-Za-z0-9]+/g, "-");
      notes.add(`memory/${conversation}.md`, id, `- ${text}`);
    }
    const asked = all.filter((each) => each.scenario === scenario);
    const questions = asked.map(({ question }) => question);
    await index({ agent, files: notes.files });
    const floor = await plain({ table: agent, documents: messages, questions });
    const found = [["plain-bm25", floor.map((ids) => ids.map((id) => [id]))]] as [
      string,
      string[][][],
    ][];
    for (const mode of modes) {
      const answers = await ask({ agent, mode, unit: "turn", today: "2026-01-01", questions });
      const rows = answers.map((answer, at) =>
        answer.rows.map((row) => notes.within(asked[at]?.evidence ?? [], row)),
      );
      found.push([mode, rows]);
    }
    await clear(agent);
    for (const [mode, rows] of found) {
      const more = asked.map((each, at) => ({ ...each, category: "all", found: rows[at] ?? [] }));
      outcomes.set(mode, [...(outcomes.get(mode) ?? []), ...more]);
    }
  }
  for (const [mode, rows] of outcomes) {
    reportRecall({ figure: "bfcl", unit: "turn", mode: mode as "keyword" }, rows);
  }
}

async function cjk(file: string): Promise<void> {
  for (const [language, { documents, questions: all }] of Object.entries(
    cjkSchema.parse(read(file)),
  )) {
    const agent = `cjk-${language.toLowerCase()}`;
    const notes = new Notes();
    for (const [at, text] of documents.entries()) notes.add(`memory/${at}.md`, String(at), text);
    const questions = all.map(({ question }) => question);
    await index({ agent, files: notes.files });
    const floor = await plain({
      table: agent,
      documents: documents.map((text, at) => ({ id: String(at), text })),
      questions,
    });
    const outcome = (found: string[][][]): Outcome[] =>
      all.map((each, at) => ({
        category: "all",
        evidence: [String(each.document)],
        found: found[at] ?? [],
      }));
    const name = { figure: `cjk ${language}`, unit: "turn" } as const;
    reportRecall(
      { ...name, mode: "plain-bm25" },
      outcome(floor.map((ids) => ids.map((id) => [id]))),
    );
    const answers = await ask({
      agent,
      mode: "keyword",
      unit: "turn",
      today: "2026-01-01",
      questions,
    });
    const rows = answers.map((answer, at) =>
      answer.rows.map((row) => notes.within([String(all[at]?.document)], row)),
    );
    reportRecall({ ...name, mode: "keyword" }, outcome(rows));
    await clear(agent);
  }
}
