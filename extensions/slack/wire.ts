import { z } from "zod";

/**
 * What Slack sends, as far as it is read here: Events API envelopes, interactive payloads and slash
 * commands. Loose and minimal, because Slack adds fields at will; optional members accept any value
 * (`.catch`), so that one odd field cannot cost a person's message. Not the Web API: see client.ts.
 */
const optionalText = z.string().optional().catch(undefined);
const optionalFlag = z.boolean().optional().catch(undefined);
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((values) =>
      values.flatMap((value): z.output<Item>[] => {
        const parsed = item.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      }),
    );

export const fileSchema = z.looseObject({
  id: z.string(),
  name: optionalText,
  title: optionalText,
  mimetype: optionalText,
  subtype: optionalText,
  size: z.number().optional().catch(undefined),
  mode: optionalText,
  file_access: optionalText,
  url_private: optionalText,
  url_private_download: optionalText,
});
export type SlackFile = z.infer<typeof fileSchema>;

const sharedSchema = z.looseObject({
  is_share: optionalFlag,
  is_msg_unfurl: optionalFlag,
  author_name: optionalText,
  author_id: optionalText,
  channel_name: optionalText,
  text: optionalText,
  fallback: optionalText,
  files: listOf(fileSchema).optional(),
});
export type SlackShared = z.infer<typeof sharedSchema>;

const profileSchema = z
  .looseObject({ display_name: optionalText, real_name: optionalText, name: optionalText })
  .optional()
  .catch(undefined);

export const messageEventSchema = z.looseObject({
  type: z.enum(["message", "app_mention"]),
  subtype: optionalText,
  hidden: optionalFlag,
  channel: z.string().min(1),
  user: optionalText,
  bot_id: optionalText,
  text: z.string().catch(""),
  ts: z.string().min(1),
  thread_ts: optionalText,
  parent_user_id: optionalText,
  user_profile: profileSchema,
  files: listOf(fileSchema).optional(),
  attachments: listOf(sharedSchema).optional(),
});
export type SlackMessageEvent = z.infer<typeof messageEventSchema>;

export const envelopeSchema = z.looseObject({
  type: z.string(),
  challenge: optionalText,
  team_id: optionalText,
  enterprise_id: optionalText,
  event_id: optionalText,
  authorizations: listOf(
    z.looseObject({
      user_id: optionalText,
      team_id: optionalText,
      enterprise_id: optionalText,
      is_bot: optionalFlag,
    }),
  ).optional(),
  event: z.looseObject({ type: z.string() }).optional().catch(undefined),
});
export type SlackEnvelope = z.infer<typeof envelopeSchema>;

const idHolder = z.looseObject({ id: optionalText, name: optionalText });
const optionalIdHolder = idHolder.nullish().catch(undefined);

export const interactionSchema = z.looseObject({
  type: z.string(),
  trigger_id: optionalText,
  team: optionalIdHolder,
  enterprise: optionalIdHolder,
  user: z.looseObject({ id: z.string().min(1), name: optionalText, username: optionalText }),
  channel: optionalIdHolder,
  container: z
    .looseObject({ channel_id: optionalText, message_ts: optionalText, thread_ts: optionalText })
    .optional()
    .catch(undefined),
  message: z.looseObject({ ts: optionalText, thread_ts: optionalText }).optional().catch(undefined),
  actions: listOf(
    z.looseObject({
      action_ts: optionalText,
      value: optionalText,
      text: z.looseObject({ text: optionalText }).optional().catch(undefined),
    }),
  ).optional(),
});
export type SlackInteraction = z.infer<typeof interactionSchema>;

export const slashCommandSchema = z.looseObject({
  command: z.string().startsWith("/"),
  text: z.string().default(""),
  user_id: z.string().min(1),
  user_name: optionalText,
  channel_id: z.string().min(1),
  channel_name: optionalText,
  team_id: optionalText,
  enterprise_id: optionalText,
  trigger_id: optionalText,
});
export type SlackSlashCommand = z.infer<typeof slashCommandSchema>;
