import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { awaitStart } from "./await-start.ts";
import { createMemoryClient, Refused, type MemoryClient } from "./memory-client.ts";
import {
  rowsText,
  statusText,
  searchSchema,
  statusSchema,
  type MemoryStatus,
} from "./memory-text.ts";
import { optionsOrExit } from "./options.ts";
import { complain, say } from "./say.ts";
import { findTarget } from "./target.ts";

/**
 * `npm run memory`: an agent's memory from the command line, over HTTP like everything here. Standard
 * output has what was asked for and nothing else; progress goes to standard error.
 */
const root = join(import.meta.dirname, "..", "..");
const help = `npm run memory [-- options] status | search WORDS | index | export

  status           what is indexed, what is waiting, what is wrong
  search WORDS     what would be found
  index --force    builds the index anew from the files, and waits for it
  export           every file, one a line as JSON; those of the memory with
                   the class of each line, all others as they are

  --agent NAME     which agent (default: main)
  --json           the server's own answer
  --url ADDRESS    another one, such as https://pagurus.example.workers.dev
  --token TOKEN    its GATEWAY_TOKEN; without it: the environment's, else .dev.vars'
`;

const LOOK_MS = 1_000;

const { values: flags, positionals } = optionsOrExit({
  script: "memory",
  help,
  config: {
    allowPositionals: true,
    options: {
      agent: { type: "string", default: "main" },
      force: { type: "boolean" },
      json: { type: "boolean" },
      url: { type: "string" },
      token: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  },
});

if (flags.help) process.stdout.write(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  const [command = "status", ...words] = positionals;
  if (!["status", "search", "index", "export"].includes(command)) {
    complain(`There is no "${command}".\n\n${help}`);
    return 2;
  }
  if ((flags.url ?? process.env["PAGURUS_URL"]) === undefined) await awaitStart(root, complain);
  const target = findTarget(root, flags, process.env);
  if (!target.ok) return complain(target.error);
  try {
    const client = createMemoryClient(target.value, flags.agent);
    return await run(client, command, words.join(" "));
  } catch (error) {
    if (error instanceof Refused) return complain(error.message);
    if (!(error instanceof TypeError)) throw error;
    return complain(`Nobody answers at ${target.value.url}.`); // fetch rejects with a TypeError.
  }
}

async function run(ask: MemoryClient, command: string, words: string): Promise<number> {
  switch (command) {
    case "search": {
      if (words === "") return complain("Say what to look for.");
      const found = await ask(`search?${new URLSearchParams({ q: words }).toString()}`);
      return show(await found.json(), (body) => rowsText(searchSchema.parse(body)));
    }
    case "index":
      return index(ask);
    case "export": {
      const response = await ask("export");
      for await (const chunk of response.body ?? []) process.stdout.write(chunk);
      return 0;
    }
    default: {
      const status = await (await ask("status")).json();
      return show(status, (body) => statusText(statusSchema.parse(body)));
    }
  }
}

/** Waits until nothing is waiting, or nothing changes any more. */
async function index(ask: MemoryClient): Promise<number> {
  if (flags.force) await ask("index?force=true", "POST");
  let status = await statusOf(ask);
  const isOpen = ({ waiting, comparing }: MemoryStatus) => waiting > 0 || comparing;
  for (let idle = 0; isOpen(status) && idle < 60; idle += 1) {
    if (process.stderr.isTTY) process.stderr.write(`\r${status.waiting} waiting … `);
    await wait(LOOK_MS);
    const before = status;
    status = await statusOf(ask);
    if (status.waiting !== before.waiting || status.sources !== before.sources) idle = 0;
  }
  if (process.stderr.isTTY) process.stderr.write("\r");
  show(status, () => statusText(status));
  return isOpen(status) ? 1 : 0;
}

async function statusOf(ask: MemoryClient): Promise<MemoryStatus> {
  return statusSchema.parse(await (await ask("status")).json());
}

function show(body: unknown, text: (body: unknown) => string): number {
  say(flags.json ? JSON.stringify(body) : text(body));
  return 0;
}
