import type { SetupContext, SetupReport } from "#contract/channel.ts";
import type { BotApi } from "./api.ts";
import { refusalText } from "./fault.ts";
import { channelId } from "./route.ts";

/**
 * Registers the webhook and the command menu, then asks Telegram what it has. Each step says in one line
 * what happened; a step that fails does not hide the others. Nothing waiting is thrown away.
 */
export const allowedUpdates = [
  "message",
  "edited_message",
  "channel_post",
  "callback_query",
  "message_reaction",
  "my_chat_member",
  "stopped_message_generation",
] as const;
const maxConnections = 40;
const maxCommands = 100;

interface Step {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

export async function setUpTelegram(
  api: BotApi,
  account: string,
  context: SetupContext,
): Promise<SetupReport> {
  const token = await checkToken(api);
  if (!token.ok) return token;
  const url = webhookUrl(context.origin, account);
  const steps = [
    token,
    await registerWebhook(api, url),
    await registerCommands(api, context.commands),
    await checkWebhook(api, url),
  ];
  return {
    ok: steps.every((step) => step.ok),
    lines: steps.flatMap((step) => step.lines).map((line) => api.redactor.redact(line)),
  };
}

export function webhookUrl(origin: string, account: string): string {
  const suffix = account === "default" ? "" : `/${encodeURIComponent(account)}`;
  return `${origin.replace(/\/+$/, "")}/webhooks/${channelId}${suffix}`;
}

async function checkToken(api: BotApi): Promise<Step> {
  const me = await api.call((raw, signal) => raw.getMe(signal));
  if (!me.ok) return failed(`Token: ${refusalText(me.error)}.`);
  const { username, can_read_all_group_messages: readsAll } = me.value;
  const lines = [`Bot: @${username}.`];
  const configured = api.settings.username;
  if (configured !== undefined && configured.toLowerCase() !== username.toLowerCase()) {
    return failed(
      ...lines,
      `TELEGRAM_BOT_USERNAME is @${configured}, but the bot is @${username}: mentions are not seen.`,
    );
  }
  if (configured === undefined && (readsAll || !/bot$/i.test(username))) {
    lines.push(
      `For groups, set TELEGRAM_BOT_USERNAME=${username}, so that only its own name counts.`,
    );
  }
  return { ok: true, lines };
}

async function registerWebhook(api: BotApi, url: string): Promise<Step> {
  const secret = api.settings.webhookSecret;
  if (!secret) {
    return failed(
      "Webhook: not set. TELEGRAM_WEBHOOK_SECRET is missing; without it all is refused.",
    );
  }
  const set = await api.call((raw, signal) =>
    raw.setWebhook(
      {
        url,
        secret_token: secret,
        allowed_updates: [...allowedUpdates],
        max_connections: maxConnections,
      },
      signal,
    ),
  );
  return set.ok ? done(`Webhook: ${url}.`) : failed(`Webhook: ${refusalText(set.error)}.`);
}

async function registerCommands(api: BotApi, commands: SetupContext["commands"]): Promise<Step> {
  // Telegram refuses the whole list for one bad name; descriptions are cut to what it shows.
  const menu = commands
    .map(({ name, description }) => ({
      command: name.replace(/^\//, "").toLowerCase(),
      description: description.slice(0, 256),
    }))
    .filter(({ command, description }) => /^[a-z0-9_]{1,32}$/.test(command) && description !== "")
    .slice(0, maxCommands);
  const set = await api.call((raw, signal) => raw.setMyCommands({ commands: menu }, signal));
  if (!set.ok) return failed(`Commands: ${refusalText(set.error)}.`);
  const left = commands.length - menu.length;
  return done(`Commands: ${menu.length} in the menu${left > 0 ? `, ${left} left out` : ""}.`);
}

async function checkWebhook(api: BotApi, url: string): Promise<Step> {
  const info = await api.call((raw, signal) => raw.getWebhookInfo(signal));
  if (!info.ok) return failed(`Webhook status: ${refusalText(info.error)}.`);
  const { url: registered, pending_update_count: waiting, last_error_message: fault } = info.value;
  const lines = [`Webhook status: ${waiting} update${waiting === 1 ? "" : "s"} waiting.`];
  if (fault !== undefined) lines.push(`Last delivery failed: ${fault}.`);
  if (registered === url) return { ok: true, lines };
  return failed(...lines, `Telegram delivers to ${registered || "nowhere"} instead.`);
}

function done(line: string): Step {
  return { ok: true, lines: [line] };
}

function failed(...lines: string[]): Step {
  return { ok: false, lines };
}
