import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { telegramDoor } from "#test/harness/door.ts";
import { createLatch } from "#test/harness/latch.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** What becomes of commands and messages that come while a turn runs. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({ acting: ["bell"] });
});

afterAll(async () => {
  await home.stop();
});

describe("while a turn runs", () => {
  test("commands are answered at once, and what they change holds from the next message on", async () => {
    const ada = home.telegram.owner();
    const [word, answer, next] = [newWord(), newWord(), newWord()];
    const latch = createLatch();
    home.model.when(word, async () => {
      await latch.pass();
      return { text: answer };
    });
    await ada.say(word);
    await latch.reached;
    const { tell } = telegramDoor(home, ada);
    expect(await tell("/status")).toContain("Running: step 1");
    expect(await tell("/whoami")).toContain("the owner");
    expect(await tell("/model openai/test-model")).toContain("from the next message on");
    expect(await tell("/again")).toContain("still working");
    expect(await tell("/queue followup")).toContain("followup");
    expect(ada.sees).not.toContain(answer);
    latch.open();
    await ada.hears(answer);
    home.other.when(next, { text: "from the other" });
    expect(await tell(next)).toBe("from the other");
  });

  test("/stop ends it, and nothing of it comes later", async () => {
    const ada = home.telegram.owner();
    const [word, answer, next] = [newWord(), newWord(), newWord()];
    const latch = createLatch();
    home.model.when(word, { text: answer, chunks: 1, gate: () => latch.pass() });
    await ada.say(word);
    await latch.reached;
    const { tell } = telegramDoor(home, ada);
    expect(await tell("/stop")).toBe("Stopped.");
    latch.open();
    home.model.when(next, { text: "ok" });
    expect(await tell(next)).toBe("ok");
    expect(ada.sees).toEqual(["Stopped.", "ok"]);
  });

  test("a bare stop ends it too, but is a word like others while nothing runs", async () => {
    const ada = home.telegram.owner();
    const word = newWord();
    const latch = createLatch();
    home.model.when(word, { text: "late", chunks: 1, gate: () => latch.pass() });
    await ada.say(word);
    await latch.reached;
    const { tell } = telegramDoor(home, ada);
    expect(await tell("Stop")).toBe("Stopped.");
    latch.open();
    home.model.when("Stop", { text: "nothing to stop" });
    expect(await tell("Stop")).toBe("nothing to stop");
  });

  test("/steer reaches it whatever the queue mode, other messages wait for their own turn", async () => {
    const ada = home.telegram.owner();
    const [word, hint, later] = [newWord(), newWord(), newWord()];
    const latch = createLatch();
    home.tools.on("bell", async () => {
      await latch.pass();
      return { body: "rung" };
    });
    home.model.when(word, { toolCalls: [{ name: "bell", arguments: {} }] }, { text: "first" });
    home.model.when(hint, { text: "steered" });
    home.model.when(later, { text: "second" });
    const { tell } = telegramDoor(home, ada);
    await tell("/queue followup");
    await ada.say(word);
    await latch.reached;
    await ada.say(later);
    await ada.say(`/steer ${hint}`);
    latch.open();
    await ada.hears("steered");
    await ada.hears("second");
    expect(ada.sees).toEqual(["Queue: followup.", "steered", "second"]);
    expect(home.model.asked(hint)[0]?.messages).toHaveLength(3);
  });
});

describe("in queue mode", () => {
  /** A turn that stands in the middle of a tool call, in a conversation of that mode. */
  async function busyIn(mode: string) {
    const ada = home.telegram.owner();
    const word = newWord();
    const latch = createLatch();
    home.tools.on("bell", async () => {
      await latch.pass();
      return { body: "rung" };
    });
    home.model.when(
      word,
      { toolCalls: [{ name: "bell", arguments: {} }] },
      { text: `first ${word}` },
    );
    await telegramDoor(home, ada).tell(`/queue ${mode}`);
    await ada.say(word);
    await latch.reached;
    return { ada, word, latch };
  }

  test("collect, what waits is one turn after the running one", async () => {
    const { ada, word, latch } = await busyIn("collect");
    const [second, third] = [newWord(), newWord()];
    home.model.when(second, { text: "both" });
    await ada.say(second);
    await ada.say(third);
    latch.open();
    await ada.hears("both");
    expect(ada.sees).toEqual(["Queue: collect.", `first ${word}`, "both"]);
    expect(home.model.asked(second)).toHaveLength(1);
    expect(home.model.asked(second)[0]?.userText).toContain(third);
  });

  test("interrupt, a new message ends the running turn", async () => {
    const { ada, word, latch } = await busyIn("interrupt");
    const second = newWord();
    home.model.when(second, { text: "second" });
    await ada.say(second);
    await ada.hears("second");
    latch.open();
    expect(await telegramDoor(home, ada).tell("/status")).toContain("Running: nothing");
    expect(ada.sees.join()).not.toContain(`first ${word}`);
    expect(JSON.stringify(home.model.asked(second)[0]?.messages)).toContain(word);
  });

  test("steer, a waiting call is left out in favour of a new message", async () => {
    const { ada, latch } = await busyIn("steer");
    const second = newWord();
    home.model.when(second, { text: "steered" });
    await ada.say(second);
    latch.open();
    await ada.hears("steered");
    expect(ada.sees).toEqual(["Queue: steer.", "steered"]);
  });

  test("more messages than the queue holds come through in part, and none is forgotten", async () => {
    const { ada, latch } = await busyIn("collect");
    const words = Array.from({ length: 23 }, newWord);
    home.model.when(words.at(-1)!, { text: "all of them" });
    for (const word of words) await ada.say(word);
    latch.open();
    await ada.hears("all of them");
    const [call, ...others] = home.model.asked(words.at(-1)!);
    expect(others).toEqual([]);
    const said = JSON.stringify(call?.messages);
    expect(words.filter((word) => !said.includes(word))).toEqual([]);
    expect(said).toContain("3 earlier messages did not fit");
  });
});

describe("requests with instructions of their own", () => {
  test("that were set aside behind a running turn are answered each by its own", async () => {
    const user = newWord();
    const [busy, first, second] = [newWord(), newWord(), newWord()];
    const request = (word: string) =>
      home.api.chat(word, {
        user,
        extra: {
          messages: [
            { role: "system", content: `say it like ${word}-manner` },
            { role: "user", content: word },
          ],
        },
      });
    const latch = createLatch();
    home.model.when(busy, { text: "too late", chunks: 1, gate: () => latch.pass() });
    const running = home.api.chat(busy, { user });
    await latch.reached;
    const waiting: Promise<unknown>[] = [running];
    for (const [index, word] of [first, second].entries()) {
      waiting.push(request(word));
      await eventually(async () =>
        (await home.api.chat("/status", { user })).text.includes(`Waiting: ${index + 1} message`),
      );
    }
    const stopped = await home.api.chat("/stop", { user });
    expect(stopped.text).toContain("2 waiting messages are kept unanswered");
    latch.open();
    await Promise.all(waiting);

    home.model.when(second, { text: "both" });
    expect((await home.api.chat("/again", { user })).text).toBe("both");
    const { system } = home.model.asked(second).at(-1)!;
    expect(system).toMatch(new RegExp(`message 1 of the 2 [^:]*:\\nsay it like ${first}-manner`));
    expect(system).toMatch(new RegExp(`message 2 of the 2 [^:]*:\\nsay it like ${second}-manner`));
  });
});
