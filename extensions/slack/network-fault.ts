/**
 * What a rejected fetch tells. workerd reports a refused connection and one cut in flight with the same
 * words, so there every rejection may have reached Slack; Node names the system call in the cause.
 */
const unsentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The error code that proves that no byte left, or undefined. */
export function unsentErrorCode(error: unknown): string | undefined {
  return codes(error).find((code) => unsentCodes.has(code));
}

/** A short word for people: an error code or name, never a message (it may hold a URL). */
export function networkFault(error: unknown): string {
  const code = codes(error)[0];
  if (code !== undefined) return code;
  const name = error instanceof Error ? error.name : "";
  return name === "TimeoutError" || name === "AbortError" ? name : "connection lost";
}

function codes(error: unknown): string[] {
  const found: string[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const code: unknown = Reflect.get(current, "code");
    if (typeof code === "string" && /^[A-Z_]{2,40}$/.test(code)) found.push(code);
    current = current.cause;
  }
  return found;
}
