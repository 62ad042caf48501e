import { messageBody } from "#test/doubles/slack-webhook.ts";
import { readableText } from "#test/doubles/slack-workspace.ts";
import { newCode } from "#test/harness/words.ts";
import { Track } from "./boundary.ts";
import { untilTaken, type Person } from "./person.ts";
import type { Stage } from "./stage.ts";

/** An owner in a direct chat with the app, or in one thread of a channel. */
export function slackPerson(stage: Stage, kind: "direct" | "thread"): Person {
  const { slack } = stage.assistant;
  const { server } = slack;
  const { user, im } = slack.owner();
  const direct = kind === "direct";
  const channel = direct ? im : slack.channel();
  const track = new Track([channel]);
  const said: string[] = [];
  let thread: string | undefined;
  const deliver = (body: string) => {
    // Slack signs each delivery anew.
    const signed = slack.sign(body);
    return untilTaken(stage, track, () => slack.post(signed.body, signed.headers));
  };
  return {
    track,
    say(text) {
      const ts = slack.newTs();
      const written = direct ? text : `<@${server.bot.id}> ${text}`;
      server.workspace.add({ channel, user, text: written, ts, threadTs: thread });
      const body = messageBody({
        channel,
        user,
        text: written,
        ts,
        eventId: `Ev0${newCode(10)}`,
        botUserId: server.bot.id,
        ...(thread !== undefined && { threadTs: thread }),
        ...(!direct && { type: "app_mention" as const }),
      });
      // The first message of a channel is the head of the thread it is answered in.
      if (!direct) thread ??= ts;
      said.push(body);
      return deliver(body);
    },
    visible: () =>
      server
        .visible(channel, thread)
        .filter((message) => message.botId !== undefined)
        .map(readableText),
    async repeatAll() {
      for (const body of said) await deliver(body);
    },
    waiting: () => false,
  };
}
