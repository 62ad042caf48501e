import type { ModelCall, SeenMessage, Step } from "#test/doubles/model-script.ts";
import { eventually } from "#test/harness/wait.ts";
import type { PersonKind } from "./person.ts";
import { unsafeTool } from "./stage.ts";
import { answersTo, asking, newPair } from "./questions.ts";
import { finished, notices, type Act, type Scenario, type Scene } from "./scenario.ts";
import { newWord } from "#test/harness/words.ts";
import { countWord, paragraph } from "./words.ts";

/** The scenarios of the crash suite. Each run gets words of its own. */
const chats = ["telegram-direct", "slack-direct", "slack-thread"] as const;
const everywhere = [...chats, "api"] as const;
/** Where something can be said while an answer is being waited for. */
const meanwhile = [...everywhere, "api-key"] as const;

/** How many answers with calls the model has given so far. */
function toolSteps(call: ModelCall): number {
  return call.messages.filter((message) => message.toolCalls.length > 0).length;
}

function lastResults({ messages }: ModelCall): SeenMessage["toolResults"] {
  return messages.findLast((message) => message.toolResults.length > 0)?.toolResults ?? [];
}

/** Nothing more of an answer comes before the condition holds. */
function until(condition: () => boolean): () => Promise<void> {
  return async () => {
    await eventually(condition, { timeoutMs: 90_000, what: "the model's leave to go on" });
  };
}

const text: Scenario = {
  name: "text",
  kinds: [...everywhere, "telegram-group", "api-key"],
  create(scene) {
    const pair = newPair();
    return {
      acts: [{ say: asking(scene, pair) }],
      plan: (call) => ({ text: answersTo(call, [pair]) }),
      answers: [pair.answer],
    };
  },
};

const chunks: Scenario = {
  name: "chunks",
  kinds: everywhere,
  create(scene) {
    const pair = newPair();
    const words = Array.from({ length: scene.kind.startsWith("slack") ? 42 : 20 }, newWord);
    const whole = words.map((word) => paragraph(word, 480)).join("\n\n");
    return {
      acts: [{ say: asking(scene, pair) }],
      plan: () => ({ text: whole }),
      answers: words,
    };
  },
};

const safeTool: Scenario = {
  name: "safe tool",
  kinds: everywhere,
  create(scene) {
    const pair = newPair();
    return {
      acts: [{ say: asking(scene, pair) }],
      plan: (call) =>
        toolSteps(call) === 0
          ? { toolCalls: [{ name: "read", arguments: { path: "AGENTS.md" } }] }
          : { text: answersTo(call, [pair]) },
      answers: [pair.answer],
    };
  },
};

/** Writes into the memory, reads it back, answers. */
const keyedWrite: Scenario = {
  name: "keyed write",
  kinds: ["telegram-direct", "slack-direct", "api"],
  create(scene) {
    const pair = newPair();
    const noted = newWord();
    const path = `memory/${newWord()}.md`;
    let file = "";
    const steps: readonly ((call: ModelCall) => Step)[] = [
      () => ({
        toolCalls: [{ name: "write", arguments: { path, text: `- ${noted}`, mode: "append" } }],
      }),
      () => ({ toolCalls: [{ name: "read", arguments: { path } }] }),
      (call) => {
        file = lastResults(call)[0]?.text ?? "";
        return { text: answersTo(call, [pair]) };
      },
    ];
    return {
      acts: [{ say: asking(scene, pair) }],
      plan: (call) => steps[Math.min(toolSteps(call), 2)]!(call),
      answers: [pair.answer],
      problems: () => {
        const count = countWord([file], noted);
        return count === 1 ? [] : [`the note is ${count} times in the file`];
      },
    };
  },
};

/** Says something before the answer. */
const keyedMessage: Scenario = {
  name: "keyed message",
  kinds: chats,
  create(scene) {
    const pair = newPair();
    const early = newWord();
    return {
      acts: [{ say: asking(scene, pair) }],
      plan: (call) =>
        toolSteps(call) === 0
          ? { toolCalls: [{ name: "message", arguments: { text: `First: ${early}.` } }] }
          : { text: answersTo(call, [pair]) },
      answers: [early, pair.answer],
    };
  },
};

const unsafe: Scenario = {
  name: "unsafe tool",
  kinds: ["telegram-direct", "slack-direct", "api"],
  create(scene) {
    const pair = newPair();
    const word = newWord();
    scene.person.track.know(word);
    let told = "";
    return {
      acts: [{ say: asking(scene, pair) }],
      plan(call) {
        if (toolSteps(call) === 0) {
          return { toolCalls: [{ name: unsafeTool, arguments: { word } }] };
        }
        told = lastResults(call)[0]?.text ?? "";
        return { text: answersTo(call, [pair]) };
      },
      answers: [pair.answer],
      unsafe: [word],
      problems() {
        const isTold = told.includes(word) || /unknown/.test(told);
        return isTold ? [] : [`the model was told "${told}" about the bell`];
      },
    };
  },
};

/** How long a piece of the answer waits for the preview to be due again, and how often it does. */
const previewPace: Partial<Record<PersonKind, { readonly ms: number; readonly times: number }>> = {
  "telegram-direct": { ms: 1_150, times: 2 },
  "telegram-group": { ms: 3_150, times: 1 },
  "slack-direct": { ms: 1_650, times: 2 },
};

const preview: Scenario = {
  name: "preview",
  kinds: ["telegram-group", "telegram-direct", "slack-direct"],
  create(scene) {
    const pair = newPair();
    const words = Array.from({ length: 4 }, newWord);
    const pieces = words.map((word) => `${paragraph(word, 260)}.\n\n`);
    const pace = previewPace[scene.kind] ?? { ms: 0, times: 0 };
    return {
      acts: [{ say: asking(scene, pair) }],
      plan() {
        // Told once at leisure; a second time at once.
        if (scene.modelCalls > 1) return { chunks: pieces };
        const from = performance.now();
        const due = (delta: number) => from + Math.min(delta - 1, pace.times) * pace.ms;
        const gate = (delta: number) => until(() => performance.now() >= due(delta))();
        return { chunks: pieces, gate };
      },
      answers: words,
    };
  },
};

const steering: Scenario = {
  name: "steering",
  kinds: meanwhile,
  create(scene) {
    const pairs = [newPair(), newPair()] as const;
    return {
      acts: [
        { say: asking(scene, pairs[0]) },
        { say: asking(scene, pairs[1]), when: () => scene.modelCalls > 0 },
      ],
      plan: (call) =>
        toolSteps(call) === 0
          ? {
              toolCalls: [{ name: "read", arguments: { path: "SOUL.md" } }],
              gate: until(() => scene.said > 1),
            }
          : { text: answersTo(call, pairs) },
      answers: pairs.map(({ answer }) => answer),
    };
  },
};

const stop: Scenario = {
  name: "stop",
  kinds: meanwhile,
  create(scene) {
    const pair = newPair();
    return {
      acts: [{ say: asking(scene, pair) }, { say: "/stop", when: () => scene.modelCalls > 0 }],
      plan: (call) => ({ text: answersTo(call, [pair]), gate: until(() => scene.over) }),
      answers: ["Stopped."],
      maybe: [pair.answer],
    };
  },
};

const fresh: Scenario = {
  name: "new",
  kinds: meanwhile,
  create(scene) {
    const [left, asked] = [newPair(), newPair()];
    const said = "New conversation.";
    return {
      acts: [
        { say: asking(scene, left) },
        { say: "/new", when: () => scene.modelCalls > 0 },
        { say: asking(scene, asked), when: () => readable(scene, said) },
      ],
      plan: (call) =>
        call.userText.includes(asked.ask)
          ? { text: answersTo(call, [asked]) }
          : { text: answersTo(call, [left]), gate: until(() => scene.over) },
      answers: [said, asked.answer],
      maybe: [left.answer],
    };
  },
};

const twoTurns: Scenario = {
  name: "two turns",
  kinds: everywhere,
  create(scene) {
    const pairs = [newPair(), newPair()] as const;
    const second: Act = {
      say: asking(scene, pairs[1]),
      when: () => readable(scene, pairs[0].answer),
    };
    return {
      acts: [{ say: asking(scene, pairs[0]) }, second],
      plan: (call) => ({ text: answersTo(call, pairs) }),
      answers: pairs.map(({ answer }) => answer),
    };
  },
};

/** The person has read it, or knows that something may be missing. */
function readable({ person }: Scene, words: string): boolean {
  return countWord(finished(person), words) > 0 || notices(person) > 0;
}

export const scenarios: readonly Scenario[] = [
  text,
  chunks,
  safeTool,
  keyedWrite,
  keyedMessage,
  unsafe,
  preview,
  steering,
  stop,
  fresh,
  twoTurns,
];

/** Those of the given names. */
export function scenariosNamed(...names: readonly string[]): Scenario[] {
  return scenarios.filter(({ name }) => names.includes(name));
}
