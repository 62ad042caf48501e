import type { TelegramEntity } from "./update-schema.ts";

/**
 * Is the assistant meant, and what is left of the text once its own @name is read? Parsing may not ask
 * the network, so the bot knows its id (from the token) but its @name only if the `username` setting
 * says it. Without the setting any @name that ends in "bot" counts, as every ordinary bot's does:
 * in privacy mode (the default) Telegram passes on a group's messages only if they concern this bot.
 * Set `username` where several bots share a group, or where the name ends differently.
 */
export interface BotIdentity {
  readonly id: number;
  readonly username?: string | undefined;
}

export interface Addressed {
  readonly text: string;
  readonly mentionsSelf: boolean;
}

const relevantTypes = new Set(["mention", "text_mention", "bot_command", "text_link"]);

/**
 * `/command@us` becomes `/command`; `/command@another` stays as it is, so that nobody runs it. Hidden
 * link targets are written out. Everything else stays verbatim.
 */
export function readAddressing(
  text: string,
  entities: readonly TelegramEntity[],
  bot: BotIdentity,
): Addressed {
  let mentionsSelf = false;
  let result = "";
  let position = 0;
  // Styles may cover a name: only what names or links is looked at, and those never overlap.
  const relevant = entities.filter((entity) => relevantTypes.has(entity.type));
  for (const entity of relevant.toSorted((a, b) => a.offset - b.offset)) {
    if (entity.offset < position) continue;
    const span = text.slice(entity.offset, entity.offset + entity.length);
    const self = namesSelf(span, entity, bot);
    mentionsSelf ||= self;
    result += text.slice(position, entity.offset) + written(span, entity, self);
    position = entity.offset + span.length;
  }
  result += text.slice(position);
  return { text: mentionsSelf ? commandFirst(result, bot) : result, mentionsSelf };
}

function namesSelf(span: string, entity: TelegramEntity, bot: BotIdentity): boolean {
  if (entity.type === "text_mention") return entity.user?.id === bot.id;
  if (entity.type === "mention") return isOwnName(span.slice(1), bot);
  if (entity.type !== "bot_command") return false;
  const name = span.split("@")[1];
  return name !== undefined && isOwnName(name, bot);
}

function isOwnName(name: string, bot: BotIdentity): boolean {
  if (bot.username === undefined) return /bot$/i.test(name);
  return name.toLowerCase() === bot.username.toLowerCase();
}

function written(span: string, entity: TelegramEntity, self: boolean): string {
  if (entity.type === "bot_command" && self) return span.split("@")[0] ?? span;
  const hidden = entity.type === "text_link" && entity.url !== undefined && entity.url !== span;
  return hidden ? `${span} (${entity.url})` : span;
}

/** "@us /status" is the command, not a sentence. */
function commandFirst(text: string, bot: BotIdentity): string {
  const match = /^@(\w+)\s+(\/\w[\s\S]*)$/.exec(text);
  return match?.[1] !== undefined && isOwnName(match[1], bot) ? (match[2] ?? text) : text;
}
