import type { ModelCall, SeenMessage, Step } from "#test/doubles/model-script.ts";
import type { ModelServer } from "#test/doubles/model-server.ts";

/**
 * What a model answers, told by what it is asked: `when(phrase, …steps)` is for calls whose last words
 * of a person contain the phrase, one step a call, the last one repeats. So tests that share a runtime
 * do not get in each other's way. Whatever nobody scripted is answered "ok".
 */
export type ScriptedStep = Step | ((call: ModelCall) => Step | Promise<Step>);

interface Rule {
  readonly phrase: string;
  readonly steps: readonly ScriptedStep[];
  played: number;
}

export class ModelSide<Server extends ModelServer = ModelServer> {
  readonly server: Server;
  readonly #rules: Rule[] = [];

  constructor(server: Server) {
    this.server = server;
    server.script = (call) => this.#answer(call);
  }

  /** The newest rule whose phrase is there decides. */
  when(phrase: string, ...steps: readonly [ScriptedStep, ...ScriptedStep[]]): void {
    this.#rules.unshift({ phrase, steps, played: 0 });
  }

  /** Calls whose last words of a person contain the phrase. */
  asked(phrase: string): ModelCall[] {
    return this.server.calls.filter((call) => call.userText.includes(phrase));
  }

  /** Messages of the newest of these calls. */
  lastAsked(phrase: string): readonly SeenMessage[] {
    return this.asked(phrase).at(-1)?.messages ?? [];
  }

  /** Content blocks of the messages of the newest of these calls, as they went out. */
  lastBlocks(phrase: string): { type: string; [field: string]: unknown }[][] {
    const body = this.asked(phrase).at(-1)?.body as {
      messages: { content: { type: string }[] | string }[];
    };
    return body.messages.map(({ content }) =>
      typeof content === "string" ? [{ type: "text", text: content }] : content,
    );
  }

  /** Calls that contain the phrase anywhere in their bodies. */
  told(phrase: string): ModelCall[] {
    return this.server.calls.filter((call) => JSON.stringify(call.body).includes(phrase));
  }

  #answer(call: ModelCall): Step | Promise<Step> {
    const rule = this.#rules.find(({ phrase }) => call.userText.includes(phrase));
    if (!rule) return { text: "ok" };
    const step = rule.steps[Math.min(rule.played, rule.steps.length - 1)]!;
    rule.played += 1;
    return typeof step === "function" ? step(call) : step;
  }
}
