import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { bundleWorker, type WorkerBundle } from "./bundle.ts";

/**
 * The real Worker in a real workerd, seen from outside only: HTTP in, HTTP out, console output. D1,
 * R2 and Durable Objects are local and live in a folder the caller owns, so that they outlive the
 * process. Workers AI and Vectorize are not bound; Cron Triggers fire only through `scheduled`.
 * `kill` is a SIGKILL, the closest thing there is to a machine that goes away: nothing in the
 * Worker gets to run after it. `restart` is a new process on the same state, with other vars if
 * wanted, on the same port.
 */
export interface RuntimeOptions {
  /** Where state is kept. The caller makes and removes it. */
  readonly directory: string;
  /** Environment of the Worker, over the `[vars]` of its wrangler.toml. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Path of the wrangler.toml from the root of the repository. */
  readonly config?: string;
  /** A file with the module to run instead of the Worker's own, which it imports as "product". */
  readonly around?: string;
}

export interface LogLine {
  /** log, debug, info, warn, error, or runtime for what workerd itself has to say. */
  readonly level: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The part of R2Bucket that tests use; its own type needs the types of Workers. */
export interface Bucket {
  list(options: { readonly prefix: string }): Promise<{ readonly objects: { key: string }[] }>;
  get(key: string): Promise<{ text(): Promise<string> } | null>;
  put(
    key: string,
    text: string,
    options?: { readonly customMetadata: Readonly<Record<string, string>> },
  ): Promise<unknown>;
  delete(key: string): Promise<void>;
}

export class Runtime {
  /** Everything the Worker has written to its console since `start`, over all restarts. */
  readonly logs: LogLine[] = [];
  readonly #bundle: WorkerBundle;
  readonly #directory: string;
  readonly #around: string | undefined;
  #vars: Readonly<Record<string, string>>;
  #process: Miniflare | undefined;
  #url: URL | undefined;

  private constructor(bundle: WorkerBundle, options: RuntimeOptions) {
    this.#bundle = bundle;
    this.#directory = options.directory;
    this.#around = options.around;
    this.#vars = options.vars ?? {};
  }

  /** Builds the Worker if needed and starts it; resolves when it answers requests. */
  static async start(options: RuntimeOptions): Promise<Runtime> {
    const runtime = new Runtime(await bundleWorker(options.config), options);
    await runtime.#launch();
    return runtime;
  }

  /** Where the Worker listens, without a slash at the end. The same after a restart. */
  get url(): string {
    if (!this.#url) throw new Error("the runtime was never started");
    return this.#url.origin;
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  /** A request to the Worker. Redirects are not followed; rejects while the Worker is killed. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(new URL(path, this.url), { redirect: "manual", ...init });
  }

  /**
   * Fires the Cron Trigger and resolves when its handler has ended.
   * @param at scheduled time in milliseconds; the current time if absent
   * @returns the outcome as the runtime names it: "ok", or "exception"
   */
  async scheduled(cron: string, at?: number): Promise<string> {
    const query = new URLSearchParams({ cron, ...(at === undefined ? {} : { time: `${at}` }) });
    return (await this.fetch(`/cdn-cgi/local/scheduled?${query.toString()}`)).text();
  }

  /** A bucket by its binding, as its owner sees it beside the Worker. Of no use after a restart. */
  async bucket(binding: string): Promise<Bucket> {
    if (!this.#process) throw new Error("the runtime is not running");
    const bucket: unknown = await this.#process.getR2Bucket(binding);
    return bucket as Bucket;
  }

  /** SIGKILL, sent before this returns to the event loop. Resolves when the process is gone. */
  async kill(): Promise<void> {
    const dying = this.#process;
    this.#process = undefined;
    await dying?.dispose();
  }

  /** Kills what runs and starts again on the same state. `vars` replaces the vars of `start`. */
  async restart(vars?: Readonly<Record<string, string>>): Promise<void> {
    await this.kill();
    if (vars) this.#vars = vars;
    await this.#launch();
  }

  /** The end of use. State stays in the caller's folder. */
  async stop(): Promise<void> {
    await this.kill();
  }

  async #launch(): Promise<void> {
    const started = new Miniflare(
      convertV4MiniflareOptions({ ...this.#sharedOptions(), ...this.#workerOptions() }),
    );
    this.#process = started;
    try {
      this.#url = await started.ready;
    } catch (error) {
      this.#process = undefined;
      await started.dispose().catch(() => {});
      throw error;
    }
  }

  #sharedOptions() {
    return {
      host: "127.0.0.1",
      port: Number(this.#url?.port ?? 0),
      cf: false,
      logRequests: false,
      unsafeTriggerHandlers: true,
      resourcePersistencePath: this.#directory,
      log: new RecordingLog(this.logs),
      handleStructuredLogs: (line: { timestamp: number; level: string; message: string }) => {
        this.logs.push({ level: line.level, message: line.message, at: line.timestamp });
      },
    };
  }

  #workerOptions() {
    const bundle = this.#bundle;
    const { assets } = bundle;
    const routerConfig = { has_user_worker: true };
    const sqlite = (className: string) => ({ className, useSQLite: true });
    return {
      name: bundle.name,
      rootPath: bundle.directory,
      modules: [
        ...aroundIn(bundle, this.#around),
        ...bundle.modules.map(({ type, path }) => {
          const file = join(bundle.directory, path);
          return { type, path, contents: contentsOf(file, type) };
        }),
      ],
      compatibilityDate: bundle.compatibilityDate,
      compatibilityFlags: bundle.compatibilityFlags,
      bindings: { ...bundle.vars, ...this.#vars },
      d1Databases: bundle.databases,
      r2Buckets: bundle.buckets,
      ...(assets ? { assets: { ...assets, run_worker_first: true, routerConfig } } : {}),
      durableObjects: Object.fromEntries(
        Object.entries(bundle.objects).map(([name, className]) => [name, sqlite(className)]),
      ),
    };
  }
}

/** The entry comes first, and so takes the place of the Worker's own. */
function aroundIn({ modules: [entry] }: WorkerBundle, file: string | undefined) {
  if (file === undefined || !entry) return [];
  const contents = readFileSync(file, "utf8").replaceAll('"product"', `"./${entry.path}"`);
  return [{ type: "ESModule" as const, path: "around.mjs", contents }];
}

function contentsOf(file: string, type: string): string | Uint8Array<ArrayBuffer> {
  const isText = type === "ESModule" || type === "Text";
  return isText ? readFileSync(file, "utf8") : new Uint8Array(readFileSync(file));
}

/** Keeps what the runtime itself reports (uncaught errors among it) beside the console output. */
class RecordingLog extends Log {
  readonly #lines: LogLine[];

  constructor(lines: LogLine[]) {
    super(LogLevel.WARN);
    this.#lines = lines;
  }

  protected override log(message: string): void {
    this.#lines.push({ level: "runtime", message, at: Date.now() });
  }
}
