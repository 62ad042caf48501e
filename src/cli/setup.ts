import { join } from "node:path";
import { awaitStart } from "./await-start.ts";
import { optionsOrExit } from "./options.ts";
import { fetchReadiness, problemLines } from "./readiness.ts";
import { reportText, setupReportSchema } from "./setup-report.ts";
import { complain } from "./say.ts";
import { findTarget, wrongToken, type Target } from "./target.ts";

/**
 * `npm run setup`: lets a running Pagurus, local or deployed, register itself at the platforms it has
 * tokens for, and prints what came of it. It only asks: the work is the Worker's (POST /setup), which
 * has the tokens. May be repeated.
 */
const root = join(import.meta.dirname, "..", "..");
const help = `npm run setup [-- options]

Registers webhooks and command menus, checks the tokens, and reports.
  --url ADDRESS    a deployed one, such as https://pagurus.example.workers.dev
  --token TOKEN    its GATEWAY_TOKEN; without it: the environment's, else .dev.vars'
`;

const { values: flags } = optionsOrExit({
  script: "setup",
  help,
  config: {
    options: {
      url: { type: "string" },
      token: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  },
});

if (flags.help) process.stdout.write(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  if ((flags.url ?? process.env["PAGURUS_URL"]) === undefined) await awaitStart(root, complain);
  const target = findTarget(root, flags, process.env);
  if (!target.ok) return complain(target.error);
  try {
    return await setUp(target.value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return complain(`Nobody answers at ${target.value.url}.`); // fetch rejects with a TypeError.
  }
}

async function setUp(target: Target): Promise<number> {
  const { url, token } = target;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/setup`, { method: "POST", headers });
  if (response.status === 401) {
    return complain(`${wrongToken(target)} Or it has none.`);
  }
  const body: unknown = await response.json().catch(() => undefined);
  const report = setupReportSchema.safeParse(body);
  if (!report.success) {
    return complain(`${url} answered ${response.status}, and not like Pagurus.`);
  }
  const readiness = await fetchReadiness(url);
  process.stdout.write(`Pagurus at ${url}\n\n${reportText(report.data, readiness)}`);
  const problems = problemLines(readiness).map((line) => `  ! ${line}\n`);
  if (problems.length > 0) process.stdout.write(`\n${problems.join("")}`);
  return report.data.ok ? 0 : 1;
}
