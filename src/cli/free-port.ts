import { createServer } from "node:net";

/**
 * The first free port on this machine from a wished one on. Between the look and the use somebody else
 * may take it; then the server says so. Rejects when there is none among `tries`.
 */
export async function findFreePort(wished: number, tries = 50): Promise<number> {
  for (let port = wished; port < wished + tries && port < 65_536; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${wished} on is free`);
}

/** The number in PORT; the default when it is not one. */
export function portOf(text: string | undefined, otherwise: number): number {
  const port = Number(text ?? "");
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : otherwise;
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
