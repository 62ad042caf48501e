import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { err, ok, type Result } from "#contract/result.ts";
import { awaitStart } from "./await-start.ts";
import { createConversation, type Conversation } from "./conversation.ts";
import { greeting } from "./greeting.ts";
import { optionsOrExit } from "./options.ts";
import { saveExport } from "./export-file.ts";
import { untilQuit } from "./own-commands.ts";
import { fetchConversation, fetchReadiness, type Readiness } from "./readiness.ts";
import { complain } from "./say.ts";
import { findTarget, isLocal } from "./target.ts";
import { runTerminal } from "./terminal.ts";
import { wrapText } from "./wrap.ts";

/**
 * `npm run chat`: talk to a Pagurus that runs here or somewhere else. At a terminal it is a chat; with
 * a message as argument or on standard input it prints the answer and ends, for scripts: the answer
 * alone on standard output, anything else on standard error, and a code that says whether it worked.
 * Starts no server.
 */
const root = join(import.meta.dirname, "..", "..");
const help = `npm run chat [-- options] [message]

Talks to the Pagurus that \`npm start\` runs. Without a message, at a terminal, it is a
chat: Ctrl-C stops an answer, /commands lists what else there is, /quit leaves.
In scripts:  echo "a message" | npm run --silent chat

  --session NAME   which conversation (default: terminal)
  --agent NAME     which agent, if there are several
  --url ADDRESS    another one, such as https://pagurus.example.workers.dev
  --token TOKEN    its GATEWAY_TOKEN; without it: the environment's, else .dev.vars'
`;

/** A server that is just starting holds requests until it is built. */
const READY_MS = 20_000;

const { values: flags, positionals } = optionsOrExit({
  script: "chat",
  help,
  config: {
    allowPositionals: true,
    options: {
      session: { type: "string", default: "terminal" },
      agent: { type: "string" },
      url: { type: "string" },
      token: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  },
});

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", (error) => {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  throw error;
});

if (flags.help) process.stdout.write(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  if ((flags.url ?? process.env["PAGURUS_URL"]) === undefined) await awaitStart(root, complain);
  const target = findTarget(root, flags, process.env);
  if (!target.ok) return complain(target.error);
  const absentText = absence(target.value.url);
  const patience = AbortSignal.timeout(READY_MS);
  const readiness = await fetchReadiness(target.value.url, patience).catch(() => undefined);
  if (!readiness) return complain(absentText);
  const agent = flags.agent === undefined ? "pagurus" : `pagurus/${flags.agent}`;
  const { session } = flags;
  const conversation = createConversation({ target: target.value, session, model: agent });
  if (positionals.length > 0) return askOnce(conversation, positionals.join(" "));
  if (!process.stdin.isTTY) return askOnce(conversation, await readAll(process.stdin));
  const name = { user: session, model: agent };
  const facts = await fetchConversation(target.value, name, patience);
  const model = facts?.model ?? defaultOf(readiness);
  const where = isLocal(target.value.url) ? "" : ` at ${target.value.url}`;
  const banner = greeting({ where, model, session });
  process.stdout.write(wrapText(banner, process.stdout.columns));
  const { stdin: input, stdout: output } = process;
  const folder = process.env["INIT_CWD"] ?? process.cwd();
  const exportFile = () =>
    saveExport({ target: target.value, conversation: name, folder, date: localDate() });
  await runTerminal({ conversation, input, output, absentText, exportFile });
  return 0;
}

/** As on the wall calendar: YYYY-MM-DD. */
function localDate(): string {
  return new Date().toLocaleDateString("sv-SE");
}

async function askOnce(conversation: Conversation, text: string): Promise<number> {
  const { message, quits } = untilQuit(text);
  if (message === "") return quits ? 0 : complain("There is no message.");
  let last = "";
  const outcome = await conversation.ask(message, {
    text: (more) => {
      last = more;
      process.stdout.write(more);
    },
  });
  if (last !== "" && !last.endsWith("\n")) process.stdout.write("\n");
  if (outcome.status === "answered") {
    if (last === "") complain("(no answer)");
    return 0;
  }
  return complain(outcome.status === "failed" ? outcome.message : "Pagurus is gone.");
}

function defaultOf({ model, ready }: Readiness): Result<string, string> {
  return ready ? ok(model) : err(model);
}

function absence(url: string): string {
  if (!isLocal(url)) return `Nobody answers at ${url}.`;
  return `Pagurus is not running at ${url}. Start it in another terminal: npm start`;
}
