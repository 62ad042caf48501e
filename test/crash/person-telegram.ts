import { Track } from "./boundary.ts";
import { untilTaken, type Person } from "./person.ts";
import type { Stage } from "./stage.ts";

/** An owner in a direct chat with the bot, or in a group that has the bot in it. */
export function telegramPerson(stage: Stage, kind: "direct" | "group"): Person {
  const { telegram } = stage.assistant;
  const owner = telegram.owner();
  const chat = kind === "direct" ? owner.id : telegram.group();
  const name = `@${telegram.vars.TELEGRAM_BOT_USERNAME}`;
  const track = new Track([String(chat)]);
  const said: string[] = [];
  const deliver = (body: string) => untilTaken(stage, track, () => telegram.post(body));
  return {
    track,
    say(text) {
      const written = kind === "group" && !text.startsWith("/") ? `${name} ${text}` : text;
      const entities =
        written === text ? [] : [{ type: "mention", offset: 0, length: name.length }];
      const { update } = owner.compose({ text: written, entities }, { in: chat });
      said.push(JSON.stringify(update));
      return deliver(JSON.stringify(update));
    },
    visible: () => telegram.visible(chat),
    async repeatAll() {
      for (const body of said) await deliver(body);
    },
    waiting: () => false,
  };
}
