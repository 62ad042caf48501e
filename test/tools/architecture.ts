/**
 * The layer table and the other rules of structure that a type checker cannot see, as data and pure
 * functions over (path, source). It reads imports with regular expressions, not a parser: enough for
 * the three allowed shapes of an import, and independent of compiler and linter versions.
 * Whatever it cannot place is a violation, so a new folder needs a new row here first.
 */
interface Layer {
  /** Matches the path, from the root of the repository, of the files the row governs. */
  readonly files: RegExp;
  /** Matches the import specifiers these files may use, besides `./x.ts`. */
  readonly mayImport: RegExp;
}

const pure = "zod|marked|json5|yaml|croner|re2js";
const anyPackage = "(?!cloudflare:)[a-z@]";

/** First match wins. */
const layers: readonly Layer[] = [
  { files: /^src\/index\.ts$/, mayImport: /^#(app|do)\// },
  { files: /^src\/[a-z-]+\.d\.ts$/, mayImport: /^$/ },
  { files: /^src\/contract\//, mayImport: /^(#contract\/|zod$)/ },
  { files: /^src\/kit\//, mayImport: new RegExp(`^(#(contract|kit)/|(${pure})$)`) },
  { files: /^src\/core\//, mayImport: new RegExp(`^(#(contract|kit|core)/|(${pure})$)`) },
  {
    files: /^src\/platform\//,
    mayImport: /^(#(contract|kit|platform|migrations)\/|cloudflare:|drizzle-orm(\/|$)|zod$)/,
  },
  {
    files: /^src\/wiring\//,
    mayImport: /^(#(contract|kit|core|platform|wiring|build|migrations)\/|#ext\/index\.ts$|zod$)/,
  },
  { files: /^src\/app\//, mayImport: /^(#(contract|kit|core|wiring|app)\/|hono(\/|$)|zod$)/ },
  { files: /^src\/(cli|page)\//, mayImport: new RegExp(`^(#(contract|kit)/|${anyPackage})`) },
  {
    files: /^durable-objects\//,
    mayImport: /^(#(contract|kit|core|wiring|do)\/|cloudflare:workers$|zod$)/,
  },
  { files: /^extensions\/index\.ts$/, mayImport: /^#(contract|ext)\// },
  {
    files: /^extensions\/[a-z0-9-]+\//,
    mayImport: /^(#(contract|kit)\/|(?!node:|cloudflare:|hono|drizzle)[a-z@])/,
  },
  // The product's own index and search in a Worker, to be measured.
  { files: /^bench\/memory\/worker\.ts$/, mayImport: /^#(contract|kit|core|platform|ext)\// },
  {
    files: /^(bench|test\/harness|test\/system|test\/crash)\//,
    mayImport: /^(#(contract|kit|test)\/|[a-z@])/,
  },
  { files: /^test\//, mayImport: /./ },
  { files: /^migrations\/[a-z0-9]+\/index\.ts$/, mayImport: /^$/ },
  { files: /^tools\/[a-z-]+\.mjs$/, mayImport: /^node:/ },
  { files: /^[a-z0-9.-]+\.config\.ts$/, mayImport: /^[a-z@]/ },
];

/** Folders of the core, lowest first: each may import those before it. So none goes round in circles. */
const coreOrder = [
  "routing",
  "memory",
  "workspace",
  "dreaming",
  "config",
  "queue",
  "state",
  "agent",
  "delivery",
  "turn",
  "session",
];

const importPattern =
  /^[ \t]*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']|^[ \t]*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

export function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** Strings first, so that what looks like a comment in one stays. */
const stringOrComment =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** First words of session keys, where they say what kind of conversation it is, not which channel. */
const keyWords: Readonly<Record<string, readonly string[]>> = {
  "src/core/routing/session-key.ts": ["api"],
};

/** Channels and providers that a file of the product names outside comments: it may know none. */
export function namedExtensions(path: string, source: string, ids: readonly string[]): string[] {
  if (!/^(src\/(contract|core|platform|wiring)|durable-objects)\//.test(path)) return [];
  const code = source.replaceAll(stringOrComment, (_all, text: string | undefined) => text ?? "");
  return ids
    .filter((id) => !keyWords[path]?.includes(id) && new RegExp(`\\b${id}\\b`).test(code))
    .map((id) => `${path} names ${id}`);
}

/** Rows of the table that govern none of these files: a mistyped row, or a tree that was not read. */
export function idleLayers(paths: readonly string[]): string[] {
  const busy = new Set(paths.map((path) => layers.find((row) => row.files.test(path))));
  return layers.filter((row) => !busy.has(row)).map((row) => String(row.files));
}

/** Every rule a file breaks, in words; empty when it breaks none. */
export function violations(path: string, source: string): string[] {
  return [
    ...importViolations(path, source),
    ...ceilingViolations(path, source),
    ...barrelViolations(path, source),
    ...classMemberViolations(path, source),
    ...purityViolations(path, source),
  ];
}

function importViolations(path: string, source: string): string[] {
  const layer = layers.find((row) => row.files.test(path));
  if (!layer) return [`${path} belongs to no layer`];
  return importsOf(source).flatMap((specifier) => {
    const found = importViolation(path, specifier, layer);
    return found ? [`${path} imports ${specifier}: ${found}`] : [];
  });
}

function importViolation(path: string, specifier: string, layer: Layer): string | undefined {
  if (specifier.split("/").includes("..")) return "no ../";
  const local = /^[.#]/.test(specifier);
  if (local && !/\.(ts|js|md|sql|html|css|json)$/.test(specifier)) return "names no file";
  if (specifier.startsWith("./")) return undefined;
  if (ownExtension(path) !== undefined && specifier.startsWith(`#ext/${ownExtension(path)}/`)) {
    return undefined;
  }
  if (!layer.mayImport.test(specifier)) return "not allowed in this layer";
  return coreViolation(path, specifier);
}

function coreViolation(path: string, specifier: string): string | undefined {
  const from = /^src\/core\/([a-z-]+)\//.exec(path)?.[1];
  const to = /^#core\/([a-z-]+)\//.exec(specifier)?.[1];
  if (from === undefined || to === undefined) return undefined;
  const [place, above] = [coreOrder.indexOf(to), coreOrder.indexOf(from)];
  if (place < 0 || above < 0) return "has no place in the order of the core";
  return place < above ? undefined : `${to} is not below ${from} in the core`;
}

function ownExtension(path: string): string | undefined {
  return /^extensions\/([a-z0-9-]+)\//.exec(path)?.[1];
}

const ceiling = 300;

function ceilingViolations(path: string, source: string): string[] {
  const lines = source.split("\n").length - (source.endsWith("\n") ? 1 : 0);
  return lines > ceiling ? [`${path} has ${lines} lines, more than ${ceiling}`] : [];
}

/** A barrel hides who needs what; only an extension and the Worker's entry have a front door. */
function barrelViolations(path: string, source: string): string[] {
  if (
    /^(src|extensions|extensions\/[a-z0-9-]+|migrations\/[a-z0-9]+|test\/harness\/fixtures\/[a-z0-9-]+)\/index\.ts$/.test(
      path,
    )
  )
    return [];
  const found: string[] = [];
  if (/(^|\/)index\.ts$/.test(path)) found.push(`${path} is a barrel by its name`);
  if (/^export\b[^;"'`=]*\bfrom\s*["']/m.test(source)) found.push(`${path} re-exports`);
  return found;
}

/** A TypeScript-private method of a Durable Object answers over RPC; a # method does not. */
function classMemberViolations(path: string, source: string): string[] {
  if (!path.startsWith("durable-objects/")) return [];
  const keyword = /^[ \t]*(?:(?:static|override|readonly|async)\s+)*(?:private|protected)\s/m;
  return keyword.test(source) ? [`${path} uses private or protected; use #`] : [];
}

/**
 * The current time without a word the linter's lists of globals and properties could refuse: a Date
 * made of nothing or used under another name, and a formatter that is given no instant.
 */
const clockReaders =
  /\bDate\(\s*\)|\bnew\s+Date\b(?!\s*\()|[=(,[]\s*Date\s*[;,)\]]|\.format(ToParts)?\(\s*\)/;

function purityViolations(path: string, source: string): string[] {
  if (!/^src\/(contract|kit|core)\//.test(path)) return [];
  const found = clockReaders.exec(source);
  return found ? [`${path} reads the clock with ${found[0]}`] : [];
}
