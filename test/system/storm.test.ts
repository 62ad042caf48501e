import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answersTo, asking, newPair, type Pair } from "#test/crash/questions.ts";
import { perform } from "#test/crash/run.ts";
import type { Scenario, Scene } from "#test/crash/scenario.ts";
import { Stage } from "#test/crash/stage.ts";
import { countWord } from "#test/crash/words.ts";
import { eventually, settled } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** Much at once: the same message many times, many chats, many messages while one is being answered. */
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open({
    people: 20,
    config: { channels: { telegram: { dmPolicy: "open" } } },
  });
});

afterAll(async () => {
  await stage.close();
});

interface Talk {
  readonly tag: string;
  readonly pairs: readonly Pair[];
  readonly person: ReturnType<Stage["assistant"]["telegram"]["person"]>;
}

/** A guest with questions, and a model that answers all that were asked since it last spoke. */
function newTalk(questions: number): Talk {
  const tag = newWord();
  const pairs = Array.from({ length: questions }, newPair);
  stage.plan(tag, (call) => ({ text: answersTo(call, pairs) }));
  return { tag, pairs, person: stage.assistant.telegram.person() };
}

// B01
test("50 deliveries of one update at once are one turn with one answer", async () => {
  const { telegram } = stage.assistant;
  const talk = newTalk(1);
  const [pair] = talk.pairs as [Pair];
  const { update } = talk.person.compose({ text: asking(talk, pair) });
  const body = JSON.stringify(update);
  const replies = await Promise.all(Array.from({ length: 50 }, () => telegram.post(body)));
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  await talk.person.hears(pair.answer);
  await settled(() => talk.person.sees.length);
  expect(talk.person.sees).toHaveLength(1);
  const key = stage.assistant.directKey(talk.person.id);
  expect(stage.assistant.turns(key)).toHaveLength(1);
  expect(await stage.assistant.api.history(key, "user")).toHaveLength(1);
});

test("1,000 updates over 200 chats are each answered once, and in order", async () => {
  const talks = Array.from({ length: 200 }, () => newTalk(5));
  const from = performance.now();
  await Promise.all(
    talks.map(async (talk) => {
      // A platform has one delivery under way per chat.
      for (const pair of talk.pairs) await talk.person.say(asking(talk, pair));
    }),
  );
  const accepted = performance.now();
  for (const { pairs, person } of talks) {
    const words = pairs.map(({ answer }) => answer);
    const isAnswered = () => words.every((word) => countWord(person.sees, word) > 0);
    await eventually(isAnswered, { timeoutMs: 240_000, what: "all answers of a chat" });
  }
  const answered = performance.now();
  console.log(
    `1,000 updates accepted in ${Math.round(accepted - from)} ms, answered in ${Math.round(answered - from)} ms`,
  );
  await settled(() => stage.assistant.telegram.server.sent.length);
  for (const { pairs, person } of talks) {
    const said = person.sees.join("\n");
    const places = pairs.map(({ answer }) => said.indexOf(answer));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(pairs.map(({ answer }) => countWord([said], answer))).toEqual([1, 1, 1, 1, 1]);
  }
}, 300_000);

describe("a burst during a running turn", () => {
  /** One message is being answered when three more come. */
  function burst(
    mode: string,
    play: (scene: Scene, pairs: readonly Pair[]) => BurstPlay,
  ): Scenario {
    return {
      name: `burst ${mode}`,
      kinds: ["telegram-direct"],
      create(scene) {
        const pairs = Array.from({ length: 4 }, newPair);
        const isQueueSet = () => countWord(scene.person.visible(), `Queue: ${mode}.`) > 0;
        const [first, ...others] = pairs.map((pair) => asking(scene, pair));
        return {
          acts: [
            { say: `/queue ${mode}` },
            { say: first!, when: isQueueSet },
            ...others.map((say) => ({ say, when: () => scene.modelCalls > 0 })),
          ],
          ...play(scene, pairs),
        };
      },
    };
  }

  type BurstPlay = Omit<ReturnType<Scenario["create"]>, "acts">;

  const everythingSaid = (scene: Scene) => async () => {
    await eventually(() => scene.said === 5, { timeoutMs: 60_000 });
  };

  /** Answers the first call only when all has been said. */
  const heldOnce =
    (calls: number) =>
    (scene: Scene, pairs: readonly Pair[]): BurstPlay => ({
      plan: (call) => ({
        text: answersTo(call, pairs),
        ...(scene.modelCalls === 1 ? { gate: everythingSaid(scene) } : {}),
      }),
      answers: pairs.map(({ answer }) => answer),
      problems: () =>
        scene.modelCalls === calls ? [] : [`the model was asked ${scene.modelCalls} times`],
    });

  const steer = burst("steer", (scene, pairs) => ({
    plan: (call) =>
      call.messages.some(({ toolCalls }) => toolCalls.length > 0)
        ? { text: answersTo(call, pairs) }
        : {
            toolCalls: [{ name: "read", arguments: { path: "SOUL.md" } }],
            gate: everythingSaid(scene),
          },
    answers: pairs.map(({ answer }) => answer),
    problems: () => (scene.modelCalls === 2 ? [] : [`${scene.modelCalls} calls`]),
  }));
  const interrupt = burst("interrupt", (_scene, pairs) => ({
    plan: (call) => {
      const isLast = call.userText.includes(pairs.at(-1)!.ask);
      return {
        text: answersTo(call, pairs.slice(-1)),
        ...(isLast ? {} : { gate: () => new Promise<void>(() => {}) }),
      };
    },
    answers: pairs.slice(-1).map(({ answer }) => answer),
  }));

  test.each([
    { how: "joins the turn", scenario: steer },
    { how: "makes a turn of each message", scenario: burst("followup", heldOnce(4)) },
    { how: "makes one turn of what waited", scenario: burst("collect", heldOnce(2)) },
    { how: "ends the turn for the newest", scenario: interrupt },
  ])("$how in mode $scenario.name", async ({ scenario }) => {
    const [performance] = await perform(stage, [{ scenario, kind: "telegram-direct" }]);
    expect(performance?.verdict).toMatchObject({
      lost: [],
      duplicated: [],
      stuck: false,
      problems: [],
    });
  });
});
