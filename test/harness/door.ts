import { readableText } from "#test/doubles/slack-workspace.ts";
import { type ExportLine, readLines } from "./api-side.ts";
import type { Assistant } from "./assistant.ts";
import { eventually } from "./wait.ts";
import { newWord } from "./words.ts";

/** One conversation of an owner's, whatever carries it. */
export interface Door {
  /** Says something and waits for one message in return. */
  readonly tell: (text: string) => Promise<string>;
  /** What `/export` hands over: a file, or the answer itself. */
  readonly exported: () => Promise<ExportLine[]>;
}

export function telegramDoor(home: Assistant, person = home.telegram.owner()): Door {
  const { sent } = home.telegram.server;
  const mine = () => sent.filter(({ chatId }) => chatId === person.id);
  return {
    async tell(text) {
      const before = mine().length;
      await person.say(text);
      return (await eventually(() => mine()[before], { timeoutMs: 30_000, what: text })).text;
    },
    async exported() {
      await person.say("/export");
      const message = await eventually(() => mine().find(({ media }) => media.length > 0));
      return readLines(new TextDecoder().decode(message.media[0]?.bytes));
    },
  };
}

export function slackDoor(home: Assistant): Door {
  const { user, im } = home.slack.owner();
  const { workspace } = home.slack.server;
  const mine = () => workspace.messages.filter(({ channel }) => channel === im);
  const give = (text: string) =>
    text.startsWith("/")
      ? home.slack.slash(user, im, text.slice(1))
      : home.slack.say({ user, channel: im, text });
  return {
    async tell(text) {
      const before = mine().length;
      await give(text);
      return readableText(
        await eventually(() => mine()[before], { timeoutMs: 30_000, what: text }),
      );
    },
    async exported() {
      await give("/export");
      const shared = () =>
        [...workspace.files.values()].find(({ shares }) =>
          shares.some(({ channel }) => channel === im),
        );
      return readLines(new TextDecoder().decode((await eventually(shared)).bytes));
    },
  };
}

export function apiDoor(home: Assistant): Door {
  const user = newWord();
  return {
    tell: async (text) => (await home.api.chat(text, { user })).text,
    exported: async () => readLines((await home.api.chat("/export", { user })).text),
  };
}
