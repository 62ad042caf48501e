import { z } from "zod";
import { neededSettings } from "#kit/needed-settings.ts";

/**
 * Settings of one Telegram account. Only the token is required: without a webhook secret the account
 * exists (it can send, and set-up can say what is missing) but refuses every webhook request and does
 * not count as set up.
 */
export const telegramSettingsSchema = z.strictObject({
  botToken: z
    .string()
    .regex(/^\d{1,16}:[\w-]{10,100}$/, "a bot token from @BotFather (digits:text)"),
  webhookSecret: z
    .string()
    .regex(/^[\w-]{0,256}$/, "1 to 256 characters out of A-Z, a-z, 0-9, _ and -")
    .optional()
    .register(neededSettings, {}),
  /** The bot's @name. Needed only in groups that also have other bots (see addressing.ts). */
  username: z
    .string()
    .regex(/^@?\w{3,32}$/, "the bot's @name")
    .transform((name) => name.replace(/^@/, ""))
    .optional(),
  /** Another server than Telegram's own: self-hosted, a proxy, a test. No trailing slash. */
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ""))
    .default("https://api.telegram.org"),
});
export type TelegramSettings = z.output<typeof telegramSettingsSchema>;

export const telegramEnvironment = {
  botToken: "TELEGRAM_BOT_TOKEN",
  webhookSecret: "TELEGRAM_WEBHOOK_SECRET",
  username: "TELEGRAM_BOT_USERNAME",
  apiRoot: "TELEGRAM_API_ROOT",
} as const;

/** The bot's user id: the part of its token before the colon. */
export function botId(settings: Pick<TelegramSettings, "botToken">): number {
  return Number(settings.botToken.split(":")[0]);
}
