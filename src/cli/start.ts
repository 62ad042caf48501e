import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { runClock } from "./clock.ts";
import { prepareDevVars, settingNames, type DevVars } from "./dev-vars.ts";
import { findFreePort, portOf } from "./free-port.ts";
import { startServer, type LocalServer } from "./local-server.ts";
import { fetchReadiness } from "./readiness.ts";
import { createServerOutput } from "./server-output.ts";
import { DEFAULT_PORT, isAlive, notedUrl, runningFile } from "./target.ts";
import { welcomeText } from "./welcome.ts";

/**
 * `npm start`: serves Pagurus on this machine and says what to do next. No account, no key, no
 * questions. It owns the serving process and the note of its address (`.wrangler/pagurus.json`), and
 * takes both away when it ends. What serves is in dev-server.ts; developers who want reloading use
 * `npm run dev`.
 */
const root = join(import.meta.dirname, "..", "..");
const help = `npm start [-- --show-token]

Serves Pagurus on this machine, at port 8787 or the next free one (PORT=… to wish for another).
Settings are in .dev.vars; variables of the same names in your environment come first.
  --show-token   also print the gateway token
`;

const output = createServerOutput(process.stderr);
const { values: flags } = parseArgs({
  options: { "show-token": { type: "boolean" }, help: { type: "boolean", short: "h" } },
});

if (flags.help) process.stdout.write(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  const present = notedUrl(root);
  if (present !== undefined && (await isAlive(present))) {
    say(`Pagurus is running already, at ${present}. Talk to it with: npm run chat`);
    return 0;
  }
  const stopped = stopSignal();
  const vars = prepareDevVars(root, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const variables = settingsFromEnvironment();
  const wished = portOf(process.env["PORT"], DEFAULT_PORT);
  const port = await findFreePort(wished);
  if (port !== wished) say(`Port ${wished} is taken; using ${port}.`);
  say(dim("Starting …"));
  const server = await startServer({ root, port, variables }, output);
  if (!server.ok) {
    complain(`Pagurus did not start: ${server.error}.`);
    return 1;
  }
  try {
    return await whileServing(server.value, { vars, variables, stopped });
  } finally {
    rmSync(runningFile(root), { force: true });
  }
}

interface Serving {
  readonly vars: DevVars;
  readonly variables: Readonly<Record<string, string>>;
  readonly stopped: Promise<"stopped">;
}

async function whileServing(server: LocalServer, serving: Serving): Promise<number> {
  const stopping = new AbortController();
  const end = Promise.race([serving.stopped, server.ended.then(() => "ended" as const)]);
  const failed = welcome(server, serving, stopping.signal);
  const first = await Promise.race([end, failed]);
  if (first === undefined) {
    const { url, crons } = server;
    void runClock({ url, crons, signal: stopping.signal, report: complain });
  }
  const how = first ?? (await end);
  stopping.abort();
  if (how === "stopped") say("\nStopping …");
  else complain(how === "ended" ? "The server ended by itself." : how);
  process.on("SIGINT", () => server.kill());
  await server.stop();
  return how === "stopped" ? 0 : 1;
}

/** Waits until the Worker answers, notes the address and greets. Resolves with a reason if it cannot. */
async function welcome(
  { url }: LocalServer,
  { vars, variables }: Serving,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const readiness = await fetchReadiness(url, signal);
    mkdirSync(dirname(runningFile(root)), { recursive: true });
    writeFileSync(runningFile(root), `${JSON.stringify({ url })}\n`);
    const fromEnvironment = Object.keys(variables);
    const stateFolder = join(".wrangler", "state");
    say(`\n${welcomeText({ url, readiness, fromEnvironment, stateFolder, bold, dim })}\n`);
    if (flags["show-token"]) say(`GATEWAY_TOKEN=${tokenOf(vars, variables)}\n`);
    return undefined;
  } catch (error) {
    return `It started, but does not answer: ${String(error)}`;
  }
}

function tokenOf(vars: DevVars, variables: Readonly<Record<string, string>>): string {
  return variables["GATEWAY_TOKEN"] ?? vars.values["GATEWAY_TOKEN"] ?? "";
}

function settingsFromEnvironment(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of settingNames(root)) {
    const value = process.env[name]?.trim() ?? "";
    if (value !== "") found[name] = value;
  }
  return found;
}

function stopSignal(): Promise<"stopped"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => resolve("stopped"));
    }
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

function bold(text: string): string {
  return styleText("bold", text, { stream: process.stdout });
}

function dim(text: string): string {
  return styleText("dim", text, { stream: process.stdout });
}
