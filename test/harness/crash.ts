import type { Boundary, DoubleServer } from "#test/doubles/double-server.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Kills the runtime at an exact place in its traffic with the outside world: the first boundary of
 * `server` that `matches`. At `received` the other side has done nothing yet, at `applied` it has
 * acted and the Worker does not know, at `replied` the Worker may have read the answer. The gate
 * that was set before stays in force for the other boundaries and comes back afterwards.
 * @returns the boundary, once the process is gone; it stays pending if none matches
 */
export function killAt(
  runtime: Runtime,
  server: DoubleServer,
  matches: (boundary: Boundary) => boolean,
): Promise<Boundary> {
  const before = server.gate;
  return new Promise((resolve, reject) => {
    server.gate = async (boundary) => {
      if (!matches(boundary)) return before(boundary);
      server.gate = before;
      await runtime.kill().then(() => resolve(boundary), reject);
    };
  });
}
