import { createMiddleware } from "hono/factory";
import { constantTimeEqual } from "#kit/constant-time.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import type { AppEnv } from "./http.ts";

/** Bodies are read whole and bounded before anything looks at them. */
export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly status: 413 };

/** Reads at most `limit` bytes; a longer body is refused without being read to its end. */
export async function readBody(request: Request, limit: number): Promise<BodyReading> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > limit) return { ok: false, status: 413 };
  if (!request.body) return { ok: true, bytes: new Uint8Array() };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      return { ok: false, status: 413 };
    }
    chunks.push(value);
  }
  return { ok: true, bytes: concatenate(chunks, size) };
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
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
