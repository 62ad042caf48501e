import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { createLatch } from "#test/harness/latch.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** A channel whose token is taken away while somebody waits, and comes back later. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

test("its answers wait, /status elsewhere says so, and once it is back they come in order, once", async () => {
  const ada = home.telegram.owner();
  const slack = home.slack.owner();
  const links = { ada: [`telegram:${ada.id}`, `slack:${slack.user}`] };
  const config = { session: { identityLinks: links } };
  await home.restart({ config });
  const [before, word, next] = [newWord(), newWord(), newWord()];
  const long = `${"so much to say. ".repeat(400)}\n\nand ${word} at last`;
  const latch = createLatch();
  // A send that has to wait a little, so that it is rendered and not sent when the token goes.
  home.model.when(before, { text: `heard ${before}` });
  home.telegram.server.fail("sendMessage", { kind: "tooManyRequests", retryAfter: 12 });
  await ada.say(before);
  await eventually(() => home.telegram.server.calls("sendMessage").length > 0);
  home.model.when(word, async () => {
    await latch.pass();
    return { text: long };
  });
  await ada.say(word);
  await latch.reached;
  await home.restart({ config, vars: { TELEGRAM_BOT_TOKEN: undefined } });
  latch.open();
  await eventually(() => home.turns("agent:main:direct:linked:ada").length === 2);

  await home.slack.say({ user: slack.user, channel: slack.im, text: "/status" });
  await home.slack.shows({ channel: slack.im }, "Not sent: 2 messages, until telegram is set up");
  expect(home.telegram.sentTo(ada.id)).toEqual([]);

  await home.restart({ config });
  home.model.when(next, { text: `heard ${next}` });
  await ada.say(next);
  await ada.hears(`heard ${next}`);
  await ada.say("/again");
  await eventually(
    () => home.telegram.sentTo(ada.id).filter((text) => text === `heard ${next}`).length === 2,
  );
  const sent = home.telegram.sentTo(ada.id);
  expect(sent[0]).toBe(`heard ${before}`);
  expect(sent.slice(1, -2).join("\n\n")).toContain(`and ${word} at last`);
  expect(sent.slice(1, -2).length).toBeGreaterThan(1);
  expect(sent.filter((text) => text.includes(word))).toHaveLength(1);
  expect(sent.slice(-2)).toEqual([`heard ${next}`, `heard ${next}`]);
});
