import { createMiddleware } from "hono/factory";
import { readBounded } from "#kit/bounded-bytes.ts";
import { constantTimeEqual } from "#kit/constant-time.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import type { AppEnv } from "./http.ts";

/** Bodies are read whole and bounded before anything looks at them. */
export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly status: 413 };

/** Reads at most `limit` bytes; a longer body is refused without being read to its end. */
export async function readBody(request: Request, limit: number): Promise<BodyReading> {
  const declared = request.headers.get("content-length");
  const bytes = await readBounded(request.body, limit, declared);
  return bytes ? { ok: true, bytes } : { ok: false, status: 413 };
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
