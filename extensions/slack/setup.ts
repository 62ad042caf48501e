import { z } from "zod";
import type { SetupContext, SetupReport } from "#contract/channel.ts";
import type { SlackClient } from "./client.ts";
import { postFailure } from "./outcome.ts";
import type { SlackSettings } from "./settings.ts";

/**
 * Checks the token with auth.test and says what to paste where: Slack's app settings cannot be written
 * with a bot token, so this reports instead of registering. Changes nothing at Slack.
 */
const identitySchema = z.looseObject({
  team: z.string().catch("?"),
  team_id: z.string().catch("?"),
  user: z.string().catch("?"),
  user_id: z.string().catch("?"),
});

/** What each permission is for; a missing one is named with it. */
const scopes: ReadonlyArray<readonly [name: string, purpose: string]> = [
  ["chat:write", "answering"],
  ["app_mentions:read", "being addressed in channels"],
  ["im:history", "direct messages"],
  ["channels:history", "public channels"],
  ["groups:history", "private channels"],
  ["mpim:history", "group chats"],
  ["files:read", "files people send"],
  ["files:write", "sending files"],
  ["commands", "the /pagurus command"],
];

export async function reportSetup(
  client: SlackClient,
  settings: SlackSettings,
  account: string,
  context: SetupContext,
): Promise<SetupReport> {
  const lines = signingLines(settings);
  const outcome = await client.call({ method: "auth.test", encoding: "form", args: {} });
  if (outcome.kind !== "ok") {
    const failure = postFailure(outcome);
    const reason = failure.status === "sent" ? "" : failure.reason;
    return { ok: false, lines: [`Slack: the token could not be checked: ${reason}`, ...lines] };
  }
  const identity = identitySchema.parse(outcome.body);
  const otherTeam = settings.teamId !== undefined && settings.teamId !== identity.team_id;
  // A proxy may drop the header; then nothing is known about scopes, which is not an error.
  const missing = scopes.filter(([name]) => !outcome.scopes.includes(name));
  const known = outcome.scopes.length > 0;
  return {
    ok: settings.signingSecret !== "" && !otherTeam && !(known && missing.length > 0),
    lines: [
      `Slack: workspace ${identity.team} (${identity.team_id}), bot ${identity.user} (${identity.user_id})`,
      ...(otherTeam ? [`Slack: the settings name another workspace: ${settings.teamId}`] : []),
      ...(known
        ? missing.map(([name, purpose]) => `Slack: missing scope ${name} (${purpose})`)
        : ["Slack: the token's scopes are not known"]),
      ...lines,
      ...urlLines(context.origin, account),
    ],
  };
}

function signingLines(settings: SlackSettings): string[] {
  if (settings.signingSecret !== "") return [];
  return ["Slack: the signing secret is missing, so every request from Slack is refused"];
}

function urlLines(origin: string, account: string): string[] {
  const path = account === "default" ? "" : `/${encodeURIComponent(account)}`;
  return [
    `Slack: request URL for Event Subscriptions, Interactivity and the slash command /pagurus: ${origin}/webhooks/slack${path}`,
    "Slack: bot events to subscribe to: app_mention, message.im, message.channels, message.groups, message.mpim",
  ];
}
