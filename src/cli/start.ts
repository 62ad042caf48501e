import { join } from "node:path";
import { awaitStart } from "./await-start.ts";
import { prepareDevVars, readDevVars, settingNames } from "./dev-vars.ts";
import { findFreePort, portOf } from "./free-port.ts";
import { endLeftover } from "./leftover.ts";
import { misspeltNames } from "./misspelt.ts";
import { optionsOrExit } from "./options.ts";
import { Progress } from "./progress.ts";
import { claimState, livingNote, noteUrl, type OwnNote, type RunNote } from "./run-note.ts";
import { serve } from "./serving.ts";
import { acceptedToken } from "./shown-token.ts";
import { DEFAULT_PORT } from "./target.ts";
import { complain, dim, say } from "./say.ts";

/**
 * `npm start`: serves Pagurus on this machine and says what to do next. No account, no key, no
 * questions. It owns the state while it runs (run-note.ts) and the process that serves (serving.ts),
 * and leaves neither behind. Developers who want reloading use `npm run dev`.
 */
const root = join(import.meta.dirname, "..", "..");
const help = `npm start [-- --show-token]

Serves Pagurus on this machine, at port 8787 or the next free one (PORT=… wishes for
another). Settings are in .dev.vars; variables of the same names in your environment
come first.
  --show-token   also print the gateway token; while it runs already, only that
`;

const { values: flags } = optionsOrExit({
  script: "start",
  help,
  config: {
    options: { "show-token": { type: "boolean" }, help: { type: "boolean", short: "h" } },
  },
});

// Whoever reads along (`| tee log`) may be gone before us; that must not keep us from cleaning up.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

if (flags.help) process.stdout.write(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  const stopped = stopSignal();
  const wished = portOf(process.env["PORT"], DEFAULT_PORT);
  if (!wished.ok) return complain(wished.error);
  const claimed = claimState(root, wished.value);
  if (!claimed.ok) return refuseOrShow(claimed.error);
  const note = claimed.value;
  process.once("exit", () => note.remove());
  try {
    if (note.leftover !== undefined && (await endLeftover(root, note.leftover))) {
      say(dim("Ended what an earlier start had left running."));
    }
    return await keepServing(wished.value, note, stopped);
  } finally {
    note.remove();
  }
}

/** Serves until somebody stops it; a server that hangs is started again. */
async function keepServing(
  wished: number,
  note: OwnNote,
  stopped: Promise<"stopped">,
): Promise<number> {
  const vars = prepareDevVars(root, Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (vars.made) say(dim("Made a gateway token, in .dev.vars."));
  const variables = settingsFromEnvironment();
  const token = variables["GATEWAY_TOKEN"] ?? vars.values["GATEWAY_TOKEN"] ?? "";
  const shownToken = flags["show-token"] ? token : undefined;
  const known = settingNames(root);
  const config = variables["PAGURUS_CONFIG"] ?? vars.values["PAGURUS_CONFIG"] ?? "";
  const misspelt = misspeltNames(Object.keys(vars.values), { known, config });
  for (;;) {
    const free = await findFreePort(wished);
    if (!free.ok) return complain(free.error);
    const port = free.value;
    if (port !== wished) say(`Port ${wished} is taken; using ${port}.`);
    note.update({ port, phase: "starting" });
    const progress = new Progress({ screen: process.stdout, now: Date.now, style: dim });
    const end = await serve({
      root,
      port,
      variables,
      misspelt,
      stopped,
      note,
      progress,
      shownToken,
    });
    if (end !== "silent") return end === "stopped" ? 0 : 1;
    complain("The server does not answer any more; starting it again …");
  }
}

/** A second server is refused; whoever only wants the token gets the one that the first goes by. */
async function refuseOrShow(other: RunNote): Promise<number> {
  if (!flags["show-token"]) return complain(busyText(other));
  await awaitStart(root, complain);
  const candidates = [process.env["GATEWAY_TOKEN"]?.trim(), readDevVars(root)["GATEWAY_TOKEN"]];
  const token = await acceptedToken(noteUrl(livingNote(root) ?? other), candidates);
  if (!token.ok) return complain(token.error);
  say(`GATEWAY_TOKEN=${token.value}`);
  return 0;
}

function busyText(other: RunNote): string {
  const what = other.phase === "ready" ? "running" : "starting";
  const where = `at ${noteUrl(other)} (process ${other.pid})`;
  return `Pagurus is ${what} already, ${where}.\nTalk to it with: npm run chat`;
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
