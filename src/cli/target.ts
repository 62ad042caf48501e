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
}

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
  const token =
    options.token ?? environment["GATEWAY_TOKEN"] ?? readDevVars(root)["GATEWAY_TOKEN"] ?? "";
  if (token === "") {
    return err("There is no GATEWAY_TOKEN. `npm start` makes one in .dev.vars; or pass --token.");
  }
  return ok({ url: url.value, token });
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
