import { createMiddleware } from "hono/factory";
import { joinBytes } from "#kit/bounded-bytes.ts";
import { constantTimeEqual } from "#kit/constant-time.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import type { AppEnv } from "./http.ts";

/** Bodies are read whole and bounded before anything looks at them. */
export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly status: 413 };

/**
 * A caller who is still writing would see a cut connection instead of the answer: what is over the
 * limit is read and thrown away, up to this many bytes.
 */
const DISCARD_LIMIT = 100_000_000;

/** Keeps at most `limit` bytes; a longer body is refused. */
export async function readBody(request: Request, limit: number): Promise<BodyReading> {
  // HTTP keeps a body to the length it declares, and reading it whole costs a fraction.
  if (Number(request.headers.get("content-length") ?? Infinity) <= limit) {
    return { ok: true, bytes: new Uint8Array(await request.arrayBuffer()) };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
    if (size > limit + DISCARD_LIMIT) break;
  }
  return size > limit ? { ok: false, status: 413 } : { ok: true, bytes: joinBytes(chunks, size) };
}

/** `Authorization: Bearer <GATEWAY_TOKEN>`; without a configured token nobody gets in. */
export const operatorOnly = createMiddleware<AppEnv>(async (context, next) => {
  const { runtime } = loadRuntime(context.env);
  const problem = operatorProblem(context.req.header("authorization"), runtime.gatewayToken);
  if (problem) return context.json({ error: problem }, 401);
  return next();
});

function operatorProblem(header: string | undefined, token: string | undefined): string | null {
  if (token === undefined) return "GATEWAY_TOKEN is not set; this route is off";
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";
  return constantTimeEqual(given, token) ? null : "missing or wrong gateway token";
}
