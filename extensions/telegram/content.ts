import type { TelegramMessage } from "./update-schema.ts";

/**
 * What a message carries besides text and files, as lines a model can read. Names on a card, titles and
 * options are whoever's who made them, and the platform does not say who that is.
 */
export function sharedLines(message: TelegramMessage): string[] {
  const lines = [
    venue(message),
    contact(message),
    poll(message),
    checklist(message),
    game(message),
  ];
  if (message.dice) lines.push(`Dice: ${message.dice.emoji} ${message.dice.value}`);
  return lines.filter((line) => line !== undefined);
}

/** Where the sender is or points: numbers alone, which nobody words. */
export function locationLine({ venue: named, location }: TelegramMessage): string {
  return named || !location ? "" : `Location: ${coordinates(location)}`;
}

function coordinates({ latitude, longitude }: NonNullable<TelegramMessage["location"]>): string {
  return `${latitude}, ${longitude}`;
}

function venue({ venue: named }: TelegramMessage): string | undefined {
  if (!named) return undefined;
  const name = [named.title, named.address].filter(Boolean).join(", ");
  return `Place: ${name} (${coordinates(named.location)})`;
}

function game({ game: played }: TelegramMessage): string | undefined {
  return played && `Game: ${[played.title, played.description].filter(Boolean).join(", ")}`;
}

function contact({ contact: card }: TelegramMessage): string | undefined {
  if (!card) return undefined;
  const name = [card.first_name, card.last_name].filter(Boolean).join(" ");
  return `Contact: ${[name, card.phone_number].filter(Boolean).join(", ")}`;
}

function poll({ poll: asked }: TelegramMessage): string | undefined {
  return asked && [`Poll: ${asked.question}`, ...asked.options.map(bullet)].join("\n");
}

function checklist({ checklist: list }: TelegramMessage): string | undefined {
  return list && [`Checklist: ${list.title}`, ...list.tasks.map(bullet)].join("\n");
}

function bullet(item: { readonly text: string }): string {
  return `- ${item.text}`;
}

const maxRichDepth = 24;

/**
 * The words of a rich message (a tree of blocks and spans), a line per block and table row. Marks and
 * media are not shown. Never throws, for any value.
 */
export function richText(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > maxRichDepth) return "";
  if (Array.isArray(value)) return value.map((item) => richText(item, depth + 1)).join("");
  const node = value as Readonly<Record<string, unknown>>;
  const read = (name: string) => richText(node[name], depth + 1);
  const own = ["summary", "text", "expression", "alternative_text", "caption"].map(read);
  const rows = ["blocks", "items", "cells"].map((name) => lines(node[name], depth + 1));
  const body = [...own, ...rows].filter((part) => part !== "").join("\n");
  const label = read("label");
  return label === "" ? body : `${label} ${body}`;
}

function lines(value: unknown, depth: number): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const texts = items.map((item) =>
    Array.isArray(item)
      ? item.map((cell) => richText(cell, depth + 1)).join(" | ")
      : richText(item, depth),
  );
  return texts.filter((text) => text !== "").join("\n");
}
