import { z } from "zod";
import { err, ok, type Result } from "#contract/result.ts";
import { readDevVars } from "./dev-vars.ts";
import { portOf } from "./free-port.ts";
import { livingNote, noteUrl } from "./run-note.ts";

/**
 * Which Pagurus a command talks to, and with which token. What was said on the command line comes
 * first, then the environment, then what `npm start` left behind. The token is for the owner only, so
 * it does not go over an unencrypted connection to another machine.
 */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Where the token was found. */
  readonly tokenFrom: TokenSource;
}

export type TokenSource = "option" | "environment" | "file";

export interface TargetOptions {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

export const DEFAULT_PORT = 8787;

/** The error is a sentence for whoever typed the command. */
export function findTarget(
  root: string,
  options: TargetOptions,
  environment: NodeJS.ProcessEnv,
): Result<Target, string> {
  const said = options.url ?? environment["PAGURUS_URL"];
  const url = said === undefined ? localUrl(root, environment) : readUrl(said);
  if (!url.ok) return url;
  const found = findToken(root, options, environment);
  if (found === undefined) {
    return err("There is no GATEWAY_TOKEN. `npm start` makes one in .dev.vars; or pass --token.");
  }
  return ok({ url: url.value, ...found });
}

function findToken(
  root: string,
  options: TargetOptions,
  environment: NodeJS.ProcessEnv,
): Pick<Target, "token" | "tokenFrom"> | undefined {
  const places = [
    ["option", options.token],
    ["environment", environment["GATEWAY_TOKEN"]],
    ["file", readDevVars(root)["GATEWAY_TOKEN"]],
  ] as const;
  // An empty one was said, too, and means none.
  const [tokenFrom, token = ""] = places.find(([, said]) => said !== undefined) ?? places[2];
  return token === "" ? undefined : { token, tokenFrom };
}

/** What to say when it is refused. Names the place, never the token. */
export function wrongToken({ url, tokenFrom }: Target): string {
  const taken = {
    option: "given with --token",
    environment: "in GATEWAY_TOKEN of your environment",
    file: "in .dev.vars",
  }[tokenFrom];
  const way = { option: "", environment: "; --token comes before it", file: "; pass --token" };
  return `The token ${taken} is not the one that the Pagurus at ${url} has${way[tokenFrom]}.`;
}

/** Does Pagurus answer there? Never rejects. */
export async function isAlive(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(3_000) });
    return z.object({ ok: z.literal(true) }).safeParse(await response.json()).success;
  } catch {
    return false;
  }
}

export function isLocal(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

function localUrl(root: string, environment: NodeJS.ProcessEnv): Result<string, string> {
  const note = livingNote(root);
  if (note) return ok(noteUrl(note));
  const port = portOf(environment["PORT"], DEFAULT_PORT);
  return port.ok ? ok(noteUrl({ port: port.value })) : port;
}

function readUrl(text: string): Result<string, string> {
  const scheme = /^[a-z]+:\/\//i.test(text) ? "" : bareScheme(text);
  const url = URL.parse(scheme + text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return err(`"${text}" is not an address such as https://pagurus.example.workers.dev`);
  }
  if (url.protocol === "http:" && !isLocal(url.href)) {
    return err(`Use https for ${url.host}: the token would travel unencrypted.`);
  }
  return ok(url.origin);
}

function bareScheme(address: string): string {
  const guess = URL.parse(`http://${address}`);
  return guess !== null && isLocal(guess.href) ? "http://" : "https://";
}
