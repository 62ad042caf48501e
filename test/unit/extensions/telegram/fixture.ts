import { readFileSync } from "node:fs";
import type { ParsedWebhook } from "#contract/channel.ts";
import type { ParsedMessage } from "#contract/message.ts";
import { type ParseSource, parseTelegram } from "#ext/telegram/parse.ts";

/** Updates in the Bot API's own shape (all of it invented), and what our parser makes of them. */
export const fixtureNow = 1_760_000_005_000;
export const fixtureSource: ParseSource = { account: "default", bot: { id: 900_000_001 } };

export function fixtureText(name: string): string {
  return readFileSync(new URL(`../../../fixtures/telegram/${name}.json`, import.meta.url), "utf8");
}

export function parseFixture(name: string, source: Partial<ParseSource> = {}): ParsedWebhook {
  return parseText(fixtureText(name), source);
}

export function parseText(text: string, source: Partial<ParseSource> = {}): ParsedWebhook {
  const body = new TextEncoder().encode(text);
  const request = { headers: new Headers(), body, now: fixtureNow };
  const result = parseTelegram(request, { ...fixtureSource, ...source });
  if (!result.ok) throw new Error(`malformed: ${text.slice(0, 80)}`);
  return result.value;
}

export function onlyMessage(parsed: ParsedWebhook): ParsedMessage {
  const [message] = parsed.kind === "messages" ? parsed.messages : [];
  if (!message) throw new Error(`no message: ${JSON.stringify(parsed)}`);
  return message;
}

export function fixtureMessage(name: string, source: Partial<ParseSource> = {}): ParsedMessage {
  return onlyMessage(parseFixture(name, source));
}
