import { join } from "node:path";
import { everyMinute, runClock } from "./clock.ts";
import { startServer, type Address, type LocalServer } from "./local-server.ts";
import type { Progress } from "./progress.ts";
import { fetchReadiness, type Readiness } from "./readiness.ts";
import type { OwnNote } from "./run-note.ts";
import { bold, complain, dim, say } from "./say.ts";
import { createServerOutput } from "./server-output.ts";
import { welcomeText } from "./welcome.ts";

/**
 * One life of the serving process (dev-server.ts): started, greeted when it answers, given its clock,
 * and ended with everything it started. What is going on meanwhile is always on the screen.
 */
export interface Serving {
  readonly root: string;
  readonly port: number;
  /** Settings from the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Told with the problems: names in .dev.vars that are almost settings. */
  readonly misspelt: readonly string[];
  readonly stopped: Promise<"stopped">;
  readonly note: OwnNote;
  readonly progress: Progress;
  /** Printed below the welcome, if wanted. */
  readonly shownToken: string | undefined;
}

const TICK_MS = 1000;

/** `failed` has been explained; `silent` is worth another try. */
export async function serve(serving: Serving): Promise<"stopped" | "silent" | "failed"> {
  const { root, port, variables, stopped, progress } = serving;
  const ticking = setInterval(() => progress.tick(), TICK_MS).unref();
  const stopping = new AbortController();
  const write = (text: string) => {
    // What a start says that is cut off helps nobody.
    if (!stopping.signal.aborted) progress.interject(() => process.stderr.write(text));
  };
  const listener = {
    ...createServerOutput({ write }),
    step: (text: string) => progress.step(text),
  };
  const server = startServer({ root, port, variables }, listener);
  if (server.group !== undefined) serving.note.update({ group: server.group });
  const attended = attend(server, serving, stopping.signal);
  const end = await Promise.race([stopped, server.ended, attended]);
  stopping.abort();
  clearInterval(ticking);
  progress.end();
  if (end === "stopped") say("\nStopping …");
  if (end === undefined) complain("The server ended by itself.");
  // A second Ctrl-C means now; after a failure there is nothing to bring to an end.
  process.once("SIGINT", () => server.kill());
  if (end === "failed") server.kill();
  await server.stop();
  return end ?? "failed";
}

/** Greets as soon as it answers, and keeps the Worker's clock until the end. */
async function attend(
  server: LocalServer,
  serving: Serving,
  signal: AbortSignal,
): Promise<"silent" | "failed"> {
  const address = await Promise.race([
    greetWhenUp(server, serving, signal),
    server.failed.then(() => "failed" as const),
    server.lost.then(() => Promise.reject(new Error("the runtime has ended"))),
  ]).catch((error: unknown) => {
    if (!signal.aborted) complain(`It does not answer: ${String(error)}`);
    return "failed" as const;
  });
  if (address === "failed") {
    serving.progress.end();
    if (!signal.aborted) complain("Pagurus did not start.");
    return "failed";
  }
  const clock = runClock({ ...address, minutes: everyMinute(signal), report: complain });
  await Promise.race([clock, server.lost]);
  return "silent";
}

async function greetWhenUp(
  server: LocalServer,
  serving: Serving,
  signal: AbortSignal,
): Promise<Address> {
  const address = await server.up;
  serving.progress.step("Waiting for its first answer");
  const readiness = await fetchReadiness(address.url, signal);
  serving.note.update({ port: Number(new URL(address.url).port), phase: "ready" });
  greet(address.url, readiness, serving);
  return address;
}

function greet(url: string, readiness: Readiness, serving: Serving): void {
  const { variables, misspelt, progress, shownToken } = serving;
  progress.end();
  const fromEnvironment = Object.keys(variables);
  const stateFolder = join(".wrangler", "state");
  const { columns } = process.stdout;
  const known = { url, readiness, fromEnvironment, misspelt, stateFolder };
  const text = welcomeText({ ...known, columns, bold, dim });
  say(`\n${text}\n`);
  if (shownToken !== undefined) say(`GATEWAY_TOKEN=${shownToken}\n`);
}
