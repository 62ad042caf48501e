import { z } from "zod";
import { neededSettings } from "#kit/needed-settings.ts";

/**
 * Settings of one Slack account. `signingSecret` may be missing: then the account can send and report, `verify`
 * refuses every request, and it does not count as set up. `apiRoot` exists for proxies, GovSlack and tests; it
 * is the operator's, never the model's, and its host is trusted with the token.
 */
export const slackSettingsSchema = z.strictObject({
  botToken: z.string().trim().min(1),
  signingSecret: z.string().trim().default("").register(neededSettings, {}),
  apiRoot: z.url({ protocol: /^https?$/ }).default("https://slack.com/api"),
  /** Our own user id; events usually carry it, so it is only a fallback. */
  botUserId: z.string().trim().min(1).optional(),
  /** When set, events of any other workspace are ignored. */
  teamId: z.string().trim().min(1).optional(),
});
export type SlackSettings = z.infer<typeof slackSettingsSchema>;

/** Setting name → environment variable. */
export const slackEnvironment = {
  botToken: "SLACK_BOT_TOKEN",
  signingSecret: "SLACK_SIGNING_SECRET",
  apiRoot: "SLACK_API_ROOT",
  botUserId: "SLACK_BOT_USER_ID",
  teamId: "SLACK_TEAM_ID",
} as const satisfies Record<keyof SlackSettings, string>;
