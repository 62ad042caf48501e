import type { RecordedRequest } from "./double-server.ts";

/**
 * Reads the parameters of a Bot API call from JSON, a URL-encoded form or multipart form data, as the
 * real server does: numbers may come as strings, objects as JSON text, files under `attach://` names.
 */
export interface FormFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export class ApiParameters {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #files: ReadonlyMap<string, FormFile>;

  constructor(values: ReadonlyMap<string, unknown>, files: ReadonlyMap<string, FormFile>) {
    this.#values = values;
    this.#files = files;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    return scalarText(this.#values.get(name));
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    return value !== undefined && /^-?\d+$/.test(value) ? Number(value) : undefined;
  }

  /** An object or array, given as such or as JSON text. */
  value(name: string): unknown {
    const value = this.#values.get(name);
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return undefined;
    }
  }

  record(name: string): Record<string, unknown> | undefined {
    const value = this.value(name);
    return isRecord(value) ? value : undefined;
  }

  list(name: string): unknown[] | undefined {
    const value = this.value(name);
    return Array.isArray(value) ? value : undefined;
  }

  /** The uploaded file a parameter refers to, directly or by `attach://`. */
  file(reference: unknown): FormFile | undefined {
    if (typeof reference !== "string") return undefined;
    const attached = /^attach:\/\/(.+)$/.exec(reference)?.[1];
    return this.#files.get(attached ?? reference);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }
}

/** Text, numbers and booleans as text; anything else is absent. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readParameters(request: RecordedRequest): ApiParameters {
  const type = String(request.headers["content-type"] ?? "");
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary) return readMultipart(Buffer.from(request.bytes), boundary);
  if (isRecord(request.json)) {
    return new ApiParameters(new Map(Object.entries(request.json)), new Map());
  }
  const query = request.path.split("?")[1] ?? "";
  const form = type.includes("urlencoded") ? request.text : query;
  return new ApiParameters(new Map(new URLSearchParams(form)), new Map());
}

function readMultipart(body: Buffer, boundary: string): ApiParameters {
  const values = new Map<string, unknown>();
  const files = new Map<string, FormFile>();
  for (const part of multipartParts(body, boundary)) {
    const name = /name="([^"]*)"/i.exec(part.head)?.[1] ?? "";
    const fileName = /filename="?([^"\r\n;]*)"?/i.exec(part.head)?.[1];
    if (fileName === undefined) {
      values.set(name, part.body.toString("utf8"));
      continue;
    }
    const mimeType = /content-type:\s*([^\r\n]+)/i.exec(part.head)?.[1] ?? "";
    files.set(name, { name: fileName, mimeType, bytes: new Uint8Array(part.body) });
    if (!values.has(name)) values.set(name, `attach://${name}`);
  }
  return new ApiParameters(values, files);
}

function* multipartParts(
  body: Buffer,
  boundary: string,
): Generator<{ head: string; body: Buffer }> {
  const marker = Buffer.from(`--${boundary}`);
  let start = body.indexOf(marker);
  while (start >= 0) {
    const next = body.indexOf(marker, start + marker.length);
    if (next < 0) return;
    const part = body.subarray(start + marker.length + 2, next - 2);
    const split = part.indexOf("\r\n\r\n");
    if (split >= 0) {
      yield { head: part.subarray(0, split).toString("utf8"), body: part.subarray(split + 4) };
    }
    start = next;
  }
}
