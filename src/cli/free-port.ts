import { createServer } from "node:net";
import { err, ok, type Result } from "#contract/result.ts";

/**
 * The first free port on this machine from a wished one on. Between the look and the use somebody else
 * may take it; then the server says so. The error is a sentence.
 */
export async function findFreePort(wished: number, tries = 50): Promise<Result<number, string>> {
  for (let port = wished; port < wished + tries && port < 65_536; port += 1) {
    if (await isFree(port)) return ok(port);
  }
  return err(`No port from ${wished} on is free.`);
}

/** The number in PORT; the default when there is none. What is no port is a sentence, never a guess. */
export function portOf(text: string | undefined, otherwise: number): Result<number, string> {
  const wish = text?.trim() ?? "";
  if (wish === "") return ok(otherwise);
  const port = /^\d{1,5}$/.test(wish) ? Number(wish) : 0;
  if (port > 0 && port < 65_536) return ok(port);
  return err(
    `PORT is "${wish.slice(0, 40)}", which is no port: it takes a number from 1 to 65535.`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      probe.close(() => resolve(true));
    });
  });
}
