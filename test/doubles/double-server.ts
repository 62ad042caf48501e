import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A loopback HTTP server that speaks a platform's protocol. Subclasses answer requests; this base
 * records them and lets a test stop the world at any boundary of any request:
 * `received` (nothing has happened yet), `applied` (the effect is made, the reply is not sent),
 * `replied` (the reply has been sent). A gate may never resolve: that is how a crash test kills the
 * caller at an exact place.
 */
export type Phase = "received" | "applied" | "replied";

export interface Boundary {
  readonly server: string;
  /** Counts the requests of this server from 1. */
  readonly index: number;
  readonly phase: Phase;
  readonly request: RecordedRequest;
}

export type Gate = (boundary: Boundary) => void | Promise<void>;

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Raw text of the body. */
  readonly text: string;
  /** Parsed JSON, or undefined. */
  readonly json: unknown;
  readonly bytes: Uint8Array;
  readonly at: number;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A string or bytes is sent as it is; an async iterable is streamed chunk by chunk. */
  readonly body?: string | Uint8Array | AsyncIterable<string>;
  /** Cuts the connection instead of answering (after the effect). */
  readonly cut?: boolean;
}

export abstract class DoubleServer {
  readonly requests: RecordedRequest[] = [];
  gate: Gate = () => {};
  readonly name: string;
  #server: Server | undefined;
  #count = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Makes the effect of a request (records a sent message, …) and returns the reply to send. */
  protected abstract handle(request: RecordedRequest): Reply | Promise<Reply>;

  async start(port = 0): Promise<string> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    // Closing an idle connection meets a request that is on its way over it: a fault nobody asked for.
    server.keepAliveTimeout = 0;
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return this.url;
  }

  get url(): string {
    const address = this.#server?.address() as AddressInfo | null;
    if (!address) throw new Error(`${this.name} is not started`);
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  /** Forgets what was recorded; the server goes on. */
  clear(): void {
    this.requests.length = 0;
    this.#count = 0;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    const index = ++this.#count;
    const at = (phase: Phase) => this.gate({ server: this.name, index, phase, request });
    this.requests.push(request);
    await at("received");
    const reply = await this.handle(request);
    await at("applied");
    await writeReply(response, reply);
    await at("replied");
  }
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return {
    method: incoming.method ?? "GET",
    path: incoming.url ?? "/",
    headers: incoming.headers,
    text,
    json,
    bytes,
    at: Date.now(),
  };
}

async function writeReply(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.cut) {
    response.destroy();
    return;
  }
  const body = reply.body ?? "";
  response.writeHead(reply.status ?? 200, {
    "content-type": "application/json",
    ...reply.headers,
  });
  if (typeof body === "string" || body instanceof Uint8Array) {
    response.end(body);
    return;
  }
  for await (const chunk of body) {
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}
