import type { ClassifiedFile } from "#contract/provenance.ts";
import type { MemoryIndex } from "#contract/memory-index.ts";
import type { SourceVectors, VectorStorePorts } from "#contract/vector-store.ts";
import { sourceWithoutVectors, vectorsOf } from "#core/memory/index-source.ts";
import { rankPassages, search, type SearchPorts, type VectorSide } from "#core/memory/search.ts";
import { sourceOf } from "#core/memory/source.ts";
import { functionWords } from "#kit/text/stop-words.ts";
import { embeddedVectors } from "#ext/embedded-vectors/index.ts";
import { localEmbedder } from "#ext/local-embedder/index.ts";
import { estimateTokens } from "#kit/tokens.ts";
import { createAssetReader } from "#platform/assets.ts";
import { createMemoryIndex } from "#platform/d1/memory-index.ts";
import type {
  Answer,
  AskRequest,
  ClearRequest,
  CostRequest,
  FilesRequest,
  FoundLines,
  PlainRequest,
} from "./protocol.ts";

/** The product's own index and search on a real D1, for bench/memory.ts to measure. */
interface Bindings {
  readonly DB: D1Database;
  readonly ASSETS: Fetcher;
}

interface Agent {
  readonly index: MemoryIndex;
  readonly vectors: VectorSide;
}

const silent = { info() {}, warn() {}, error() {} };
const notes = { all: () => new Map<number, string>(), set() {}, remove() {} };
/** Vectors stay in memory from one request to the next, as they do in the agent's object. */
const agents = new Map<string, Agent>();
const asker = { sessionKey: "bench", identity: null, counts: false };

function agentOf(env: Bindings, id: string): Agent {
  const known = agents.get(id);
  // The bindings of another request may not be used: the index is made anew, what is in memory stays.
  const index = createMemoryIndex(env.DB, id);
  if (known) return { ...known, index };
  const asset = createAssetReader(env.ASSETS);
  const ports = { asset, log: silent } as unknown as VectorStorePorts;
  const embedder = localEmbedder.create({}, ports);
  const store = () => {
    const packed = {
      heads: () => Promise.resolve([]),
      async *all(): AsyncIterable<SourceVectors> {},
      of: () => Promise.resolve([]),
    };
    return embeddedVectors.create(embedder, { ...ports, packed, notes, namespace: id });
  };
  const stores = { clean: store(), outside: store() };
  const vectors: VectorSide = {
    embedder,
    stores,
    withDeadline: (_ms, work) => work(new AbortController().signal),
  };
  const made = { index, vectors };
  agents.set(id, made);
  return made;
}

async function put(env: Bindings, { agent, files }: FilesRequest): Promise<{ passages: number }> {
  const { index, vectors } = agentOf(env, agent);
  const { embedder, stores } = vectors;
  // Nothing is there yet: from here on the store holds what is published.
  await stores.clean.nearest(new Float32Array(embedder.dimensions), 1);
  let passages = 0;
  for (const { path, text } of files) {
    const facts = sourceOf(path) ?? { kind: "note" as const, date: null };
    const plain = sourceWithoutVectors(classified(path, text), { ...facts, identity: null });
    const made = await vectorsOf(plain.passages, embedder, new AbortController().signal);
    if (!made.ok) throw new Error(made.error);
    const { id, generation } = await index.publish({ ...plain, vectors: made.value });
    const { model, dimensions, clean } = made.value;
    await stores.clean.publish({ sourceId: id, generation, model, dimensions, ...clean });
    passages += plain.passages.length;
  }
  return { passages };
}

/** Nothing of one data set is to count in the statistics of the next. */
async function clear(env: Bindings, { agent }: ClearRequest): Promise<object> {
  await createMemoryIndex(env.DB, agent).clear();
  agents.delete(agent);
  return {};
}

function classified(path: string, text: string): ClassifiedFile {
  const origin = { trust: "owner" as const, at: 0 };
  const lines = text.split("\n").map((line) => ({ text: line, origin }));
  return { path, text, etag: "1", modifiedAt: 0, authorship: "ours", lines };
}

async function ask(env: Bindings, request: AskRequest): Promise<Answer[]> {
  const { index, vectors } = agentOf(env, request.agent);
  const today = () => request.today;
  const hybrid = request.mode !== "keyword";
  const ports: SearchPorts = { index, vectors: hybrid ? vectors : null, today, report: silent };
  const answers: Answer[] = [];
  for (const text of request.questions) {
    const from = performance.now();
    const rows =
      request.unit === "notes" ? await shown(ports, text) : await lines(ports, text, request);
    answers.push({ rows, ms: performance.now() - from });
  }
  return answers;
}

/** What a person gets, with the product's own defaults but for the number of rows. */
async function shown(ports: SearchPorts, text: string): Promise<FoundLines[]> {
  const { rows } = await search(ports, { text, asker, limit: 20 });
  return rows.map(({ row: { path, from, to, text: found } }) => ({
    path,
    from,
    to,
    tokens: estimateTokens(found),
  }));
}

/** The lines of the ranked passages, each once. */
async function lines(
  ports: SearchPorts,
  text: string,
  { mode }: AskRequest,
): Promise<FoundLines[]> {
  const { clean } = await rankPassages(ports, { text, asker }, mode);
  const unique = new Map<string, FoundLines>();
  for (const {
    passage: { path, line },
  } of clean) {
    if (unique.size === 20) break;
    const key = `${path}:${line}`;
    if (!unique.has(key)) unique.set(key, { path, from: line, to: line, tokens: 0 });
  }
  return [...unique.values()];
}

/** Rows that D1 says it read for the words of a question. */
async function cost(env: Bindings, { agent, text }: CostRequest) {
  let read = 0;
  const counting = new Proxy(env.DB, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "prepare") return typeof value === "function" ? value.bind(target) : value;
      return (sql: string) => counted(target.prepare(sql), (rows) => (read += rows));
    },
  });
  const index = createMemoryIndex(counting, agent);
  await search(
    { index, vectors: null, today: () => "2026-01-01", report: silent },
    { text, asker },
  );
  return { read };
}

function counted(statement: D1PreparedStatement, add: (rows: number) => void): D1PreparedStatement {
  return new Proxy(statement, {
    get(target, name) {
      if (name === "bind") {
        return (...values: unknown[]) => counted(target.bind(...values), add);
      }
      if (name === "all") {
        return async () => {
          const result = await target.all();
          add(result.meta.rows_read);
          return result;
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** SQLite's BM25 over whole documents, stop words left out: what one gets without any of our work. */
async function plain(env: Bindings, request: PlainRequest): Promise<string[][]> {
  const table = `plain_${request.table.replaceAll(/[^a-z0-9]/g, "_")}`;
  await env.DB.prepare(
    `CREATE VIRTUAL TABLE ${table} USING fts5(id UNINDEXED, text, tokenize='porter unicode61')`,
  ).run();
  for (let at = 0; at < request.documents.length; at += 200) {
    const page = JSON.stringify(request.documents.slice(at, at + 200));
    await env.DB.prepare(
      `INSERT INTO ${table} SELECT value->>'id', value->>'text' FROM json_each(?1)`,
    )
      .bind(page)
      .run();
  }
  const found: string[][] = [];
  for (const question of request.questions) {
    const words = question.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
    const terms = [...new Set(words.map((word) => word.replace(/'s$/, "").replaceAll("'", " ")))];
    const asked = terms.filter((term) => term.trim() !== "" && !functionWords.has(term));
    const match = asked.map((term) => `"${term}"`).join(" OR ");
    const query = `SELECT id FROM ${table} WHERE ${table} MATCH ?1 ORDER BY bm25(${table}) LIMIT 20`;
    const { results } =
      match === ""
        ? { results: [] }
        : await env.DB.prepare(query).bind(match).all<{ id: string }>();
    found.push(results.map(({ id }) => id));
  }
  return found;
}

export default {
  async fetch(request, env) {
    const body: unknown = await request.json();
    const { pathname } = new URL(request.url);
    if (pathname === "/files") return Response.json(await put(env, body as FilesRequest));
    if (pathname === "/ask") return Response.json(await ask(env, body as AskRequest));
    if (pathname === "/clear") return Response.json(await clear(env, body as ClearRequest));
    if (pathname === "/plain") return Response.json(await plain(env, body as PlainRequest));
    if (pathname === "/cost") return Response.json(await cost(env, body as CostRequest));
    return new Response("not found", { status: 404 });
  },
} satisfies ExportedHandler<Bindings>;
