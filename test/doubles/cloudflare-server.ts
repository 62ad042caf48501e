import { randomUUID } from "node:crypto";
import { z } from "zod";
import { DoubleServer, type RecordedRequest, type Reply } from "./double-server.ts";

/**
 * As much of Cloudflare's API as `wrangler deploy` and `wrangler secret put` call for one Worker, with
 * an account that starts empty: D1 and R2 are created when asked for, an upload must name what exists,
 * and secrets need a Worker. What was uploaded is in `uploads`, oldest first.
 */
const metadataSchema = z.looseObject({
  main_module: z.string(),
  assets: z.looseObject({ jwt: z.string(), config: z.looseObject({}) }).optional(),
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })),
  compatibility_date: z.string(),
  migrations: z.looseObject({ new_tag: z.string() }).optional(),
  keep_bindings: z.array(z.string()).default([]),
});
const manifestSchema = z.object({
  manifest: z.record(z.string(), z.object({ hash: z.string(), size: z.number() })),
});
export type UploadMetadata = z.infer<typeof metadataSchema>;

export interface Upload {
  readonly metadata: UploadMetadata;
  /** Text of the main module. */
  readonly code: string;
}

const subdomain = { subdomain: { enabled: true, previews_enabled: false } };

type Handler = (request: RecordedRequest) => unknown;

export class CloudflareServer extends DoubleServer {
  readonly accountId = randomUUID().replaceAll("-", "");
  readonly uploads: Upload[] = [];
  readonly databases: { uuid: string; name: string }[] = [];
  readonly buckets: { name: string }[] = [];
  readonly secrets = new Map<string, string>();
  /** Path of each file that was deployed beside the code → its size. */
  readonly assets = new Map<string, number>();
  /** Cron expressions in force. */
  schedules: unknown;
  readonly #worker: string;
  /** By hash. */
  readonly #announced = new Map<string, { readonly path: string; readonly size: number }>();

  constructor(worker: string) {
    super("cloudflare");
    this.#worker = worker;
  }

  /** What wrangler's CLOUDFLARE_API_BASE_URL should be. */
  get baseUrl(): string {
    return `${this.url}/client/v4`;
  }

  protected override handle(request: RecordedRequest): Reply {
    const { pathname } = new URL(request.path, this.url);
    const place = pathname.replace(`/client/v4/accounts/${this.accountId}/`, "");
    if (!request.headers.authorization?.startsWith("Bearer ")) return refusal(403, 10000, "auth");
    const handler = this.#routes()[`${request.method} ${place}`];
    if (!handler) return refusal(404, 7003, `no route for ${request.method} ${pathname}`);
    const result = handler(request);
    if (result === undefined) return refusal(404, 10007, `${place} does not exist`);
    return { body: JSON.stringify({ success: true, errors: [], messages: [], result }) };
  }

  #routes(): Record<string, Handler> {
    const script = `workers/scripts/${this.#worker}`;
    return {
      [`GET workers/services/${this.#worker}`]: () => this.#service(),
      [`GET workers/workers/${this.#worker}`]: () =>
        this.#present({ name: this.#worker, ...subdomain }),
      "GET workers/subdomain": () => ({ subdomain: "example" }),
      "GET workers/scripts": () =>
        this.#present([{ id: this.#worker, migration_tag: this.#tag() }]) ?? [],
      [`GET ${script}/settings`]: () => this.#settings(),
      [`GET ${script}/deployments`]: () => ({ deployments: [] }),
      [`POST ${script}/assets-upload-session`]: ({ json }) => this.#assetSession(json),
      "POST workers/assets/upload": ({ text }) => this.#takeAssets(text),
      [`GET ${script}/secrets`]: () => this.#secretNames(),
      [`PUT ${script}/secrets`]: (request) => this.#putSecret(request),
      [`PUT ${script}`]: (request) => this.#upload(request),
      [`POST ${script}/versions`]: (request) => this.#present(this.#version(request)),
      [`POST ${script}/deployments`]: () => this.#present({ id: randomUUID() }),
      [`PATCH ${script}/script-settings`]: ({ json }) => this.#present(json),
      [`POST ${script}/subdomain`]: () => subdomain.subdomain,
      [`PUT ${script}/schedules`]: ({ json }) => {
        this.schedules = json;
        return { schedules: json };
      },
      "GET d1/database": () => this.databases,
      "POST d1/database": ({ json }) => {
        const made = { uuid: randomUUID(), name: z.object({ name: z.string() }).parse(json).name };
        this.databases.push(made);
        return made;
      },
      "GET r2/buckets": () => ({ buckets: this.buckets }),
      "POST r2/buckets": ({ json }) => {
        this.buckets.push(z.object({ name: z.string() }).parse(json));
        return {};
      },
    };
  }

  /** The value, once there is a Worker. */
  #present<Value>(value: Value): Value | undefined {
    return this.uploads.length === 0 ? undefined : value;
  }

  #tag(): string | undefined {
    return this.uploads.findLast(({ metadata }) => metadata.migrations)?.metadata.migrations
      ?.new_tag;
  }

  #service() {
    const script = { id: this.#worker, last_deployed_from: "wrangler", migration_tag: this.#tag() };
    const environment = { environment: "production", script };
    return this.#present({ id: this.#worker, default_environment: environment });
  }

  /** Asks for whatever it does not have; with nothing to ask for, this answer completes the upload. */
  #assetSession(json: unknown) {
    const { manifest } = manifestSchema.parse(json);
    for (const [path, { hash, size }] of Object.entries(manifest)) {
      this.#announced.set(hash, { path: path.replace(/^\//, ""), size });
    }
    const wanted = [...this.#announced].filter(([, { path }]) => !this.assets.has(path));
    return {
      jwt: token("session"),
      buckets: wanted.length === 0 ? [] : [wanted.map(([id]) => id)],
    };
  }

  #takeAssets(text: string) {
    for (const [hash, { path, size }] of this.#announced) {
      if (text.includes(`name="${hash}"`)) this.assets.set(path, size);
    }
    return { jwt: token("complete") };
  }

  #settings() {
    const bindings = this.uploads[0]?.metadata.bindings ?? [];
    return this.#present({ bindings, migration_tag: this.#tag() });
  }

  #secretNames() {
    return this.#present([...this.secrets.keys()].map((name) => ({ name, type: "secret_text" })));
  }

  #putSecret({ json }: RecordedRequest): unknown {
    const { name, text } = z.object({ name: z.string(), text: z.string() }).parse(json);
    this.secrets.set(name, text);
    return this.#present({ name, type: "secret_text" });
  }

  #upload({ text, headers }: RecordedRequest) {
    const boundary = /boundary=(.*)$/.exec(headers["content-type"] ?? "")?.[1] ?? "";
    const parts = text.split(`--${boundary}`).map((part) => {
      const [head = "", ...body] = part.split("\r\n\r\n");
      return { name: /name="([^"]*)"/.exec(head)?.[1], body: body.join("\r\n\r\n").trimEnd() };
    });
    const body = (name: string) => parts.find((part) => part.name === name)?.body ?? "";
    const metadata = metadataSchema.parse(JSON.parse(body("metadata")));
    this.uploads.push({ metadata, code: body(metadata.main_module) });
    return {
      id: this.#worker,
      deployment_id: randomUUID(),
      startup_time_ms: 1,
      handlers: ["fetch"],
    };
  }

  /** A later upload is a version first, which a deployment then puts in force. */
  #version(request: RecordedRequest) {
    this.#upload(request);
    const resources = { bindings: [], script: {}, script_runtime: {} };
    return { id: randomUUID(), startup_time_ms: 1, metadata: {}, resources };
  }
}

function refusal(status: number, code: number, message: string): Reply {
  const body = { success: false, errors: [{ code, message }], messages: [], result: null };
  return { status, body: JSON.stringify(body) };
}

/** Of the form wrangler takes apart. */
function token(step: string): string {
  const payload = Buffer.from(JSON.stringify({ step, exp: 4_000_000_000 })).toString("base64url");
  return `e30.${payload}.x`;
}
