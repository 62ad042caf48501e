import { DoubleServer, type RecordedRequest, type Reply } from "./double-server.ts";
import {
  failureReply,
  isApplied,
  refusalReply,
  SlackFault,
  type SlackFailure,
} from "./slack-failure.ts";
import type { SlackMethod, SlackState } from "./slack-call.ts";
import { slackMethods } from "./slack-methods.ts";
import {
  type SlackChannel,
  type SlackMessage,
  type SlackStoredFile,
  SlackWorkspace,
} from "./slack-workspace.ts";

/**
 * A Slack Web API on loopback (`apiRoot`). It validates as the real one does (token, scopes, exact ids,
 * encodings, block and text limits), says no with HTTP 200 and `ok: false`, and keeps what people would
 * see: `visible(channel, thread)`, with edits and deletions. Failures are scripted per method with
 * `fail`; crash tests use the `gate` of the base class. What a thread's head is, is not checked:
 * Slack takes any well-formed `thread_ts`, unless a test names it in `goneThreads`.
 */
export interface SlackOptions {
  readonly token: string;
  readonly channels?: readonly SlackChannel[];
  readonly scopes?: readonly string[];
  readonly team?: { readonly id: string; readonly name: string };
  readonly bot?: { readonly id: string; readonly botId: string; readonly name: string };
  /** Gives new messages their ts. */
  readonly now?: () => number;
}

const allScopes = [
  "app_mentions:read",
  "channels:history",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "im:history",
  "mpim:history",
  "reactions:write",
];

export class SlackServer extends DoubleServer implements SlackState {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly team: { readonly id: string; readonly name: string };
  readonly bot: { readonly id: string; readonly botId: string; readonly name: string };
  readonly workspace: SlackWorkspace;
  readonly goneThreads = new Set<string>();
  readonly uploads = new Map<string, { fileId: string; length: number }>();
  readonly statuses: { channel: string; thread: string; status: string }[] = [];
  readonly reactions: { channel: string; ts: string; name: string }[] = [];
  readonly #failures: { method: string; failure: SlackFailure; times: number }[] = [];

  constructor(options: SlackOptions) {
    super("slack");
    this.token = options.token;
    this.scopes = options.scopes ?? allScopes;
    this.team = options.team ?? { id: "T0FAKE0001", name: "Sample" };
    this.bot = options.bot ?? { id: "U0FAKEBOT1", botId: "B0FAKEBOT1", name: "sample_helper" };
    this.workspace = new SlackWorkspace(options.now ?? Date.now);
    for (const channel of options.channels ?? []) this.workspace.addChannel(channel);
  }

  get apiRoot(): string {
    return `${this.url}/api`;
  }

  /**
   * Scripts the next `times` calls of a method ("*" = any, "upload" and "download" = file transfers).
   * First in, first out.
   */
  fail(method: string, failure: SlackFailure, times = 1): void {
    this.#failures.push({ method, failure, times });
  }

  /** What people see now, oldest first: the main conversation, or one thread without its head. */
  visible(channel: string, thread?: string): SlackMessage[] {
    return this.workspace.visible(channel, thread);
  }

  /** Requests for a method so far, answered or not. */
  calls(method: string): RecordedRequest[] {
    return this.requests.filter((request) => request.path.split("?")[0] === `/api/${method}`);
  }

  /** A file as events and files.info show it. */
  wireFile(file: SlackStoredFile): Record<string, unknown> {
    const address = `${this.url}/files-pri/${this.team.id}-${file.id}`;
    return {
      id: file.id,
      name: file.name,
      title: file.name,
      mimetype: file.mimeType,
      size: file.bytes.length,
      mode: "hosted",
      url_private: `${address}/${encodeURIComponent(file.name)}`,
      url_private_download: `${address}/download/${encodeURIComponent(file.name)}`,
    };
  }

  override clear(): void {
    super.clear();
    this.workspace.clear();
    this.uploads.clear();
    this.goneThreads.clear();
    this.#failures.length = 0;
    this.statuses.length = 0;
    this.reactions.length = 0;
  }

  protected handle(request: RecordedRequest): Reply | Promise<Reply> {
    const { pathname } = new URL(request.path, this.url);
    const [, area, first = "", second = ""] = pathname.split("/");
    if (area === "api") return this.#call(first, request);
    if (area === "upload") return this.#transfer("upload", () => this.#receive(second, request));
    if (area === "files-pri") return this.#transfer("download", () => this.#hand(first, request));
    if (area === "signin") return { headers: page, body: "<html>Sign in</html>" };
    return { status: 404, headers: page, body: "<html>Not found</html>" };
  }

  #call(name: string, request: RecordedRequest): Reply | Promise<Reply> {
    const method = slackMethods[name];
    if (method === undefined) return refusalReply("unknown_method");
    return this.#transfer(name, () => this.#apply(method, request));
  }

  /** Runs an effect under the failure that is scripted for it. */
  #transfer(name: string, effect: () => Reply): Reply | Promise<Reply> {
    const failure = this.#nextFailure(name);
    if (failure !== undefined && !isApplied(failure)) return failureReply(failure);
    const reply = effect();
    return failure === undefined ? reply : failureReply(failure);
  }

  #apply(method: SlackMethod, request: RecordedRequest): Reply {
    const headers = { "x-oauth-scopes": this.scopes.join(",") };
    try {
      const args = readArguments(request, method.json);
      this.#checkToken(request, args);
      if (method.scopes.length > 0 && !method.scopes.some((scope) => this.scopes.includes(scope))) {
        throw new SlackFault("missing_scope", method.scopes.join(","));
      }
      return { headers, body: JSON.stringify({ ok: true, ...method.run({ args, server: this }) }) };
    } catch (error) {
      if (!(error instanceof SlackFault)) throw error;
      return { headers, ...refusalReply(error.message, error.needed) };
    }
  }

  #checkToken(request: RecordedRequest, args: Readonly<Record<string, unknown>>): void {
    const token = bearer(request) ?? args["token"];
    if (token === undefined) throw new SlackFault("not_authed");
    if (token !== this.token) throw new SlackFault("invalid_auth");
  }

  #nextFailure(method: string): SlackFailure | undefined {
    const isMeant = (entry: { method: string }) => entry.method === method || entry.method === "*";
    const index = this.#failures.findIndex(isMeant);
    const entry = this.#failures[index];
    if (entry === undefined) return undefined;
    entry.times -= 1;
    if (entry.times <= 0) this.#failures.splice(index, 1);
    return entry.failure;
  }

  #receive(ticket: string, request: RecordedRequest): Reply {
    const upload = this.uploads.get(ticket);
    const file = upload && this.workspace.files.get(upload.fileId);
    if (upload === undefined || file === undefined) return { status: 404, body: "no such upload" };
    if (request.bytes.length !== upload.length) return { status: 400, body: "wrong length" };
    file.bytes = request.bytes;
    return { headers: { "content-type": "text/plain" }, body: `OK - ${upload.length}` };
  }

  /** Without a good token Slack does not refuse: it sends the visitor to its sign-in page. */
  #hand(place: string, request: RecordedRequest): Reply {
    const file = this.workspace.files.get(place.split("-")[1] ?? "");
    if (file === undefined) return { status: 404, headers: page, body: "<html>Not found</html>" };
    if (bearer(request) !== this.token || !this.scopes.includes("files:read")) {
      return { status: 302, headers: { location: `${this.url}/signin` }, body: "" };
    }
    return { headers: { "content-type": file.mimeType }, body: file.bytes };
  }
}

const page = { "content-type": "text/html; charset=utf-8" };

function bearer(request: RecordedRequest): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
}

/** JSON for the methods that read it; a form's JSON members are parsed, as Slack does. */
function readArguments(request: RecordedRequest, json: boolean): Record<string, unknown> {
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/json")) {
    const { json: body } = request;
    if (!json || typeof body !== "object" || body === null || Array.isArray(body)) {
      throw new SlackFault("invalid_arguments");
    }
    return { ...body };
  }
  if (!type.startsWith("application/x-www-form-urlencoded")) {
    if (request.bytes.length > 0) throw new SlackFault("invalid_post_type");
    return {};
  }
  const form = [...new URLSearchParams(request.text)];
  return Object.fromEntries(form.map(([name, value]) => [name, formValue(name, value)]));
}

const structured = new Set(["blocks", "metadata", "files", "include_all_metadata"]);

function formValue(name: string, value: string): unknown {
  if (!structured.has(name)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new SlackFault("invalid_json");
  }
}
