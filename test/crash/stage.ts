import { z } from "zod";
import type { ModelCall, Step } from "#test/doubles/model-script.ts";
import { Assistant } from "#test/harness/assistant.ts";
import { eventually } from "#test/harness/wait.ts";
import { Places } from "./boundary.ts";

/**
 * The assistant and the world around it, made once and used for many runs, each with a person and a
 * conversation of its own, because starting costs more than a run. What the model says is decided per
 * conversation, by a word in its messages.
 */
export interface StageOptions {
  /** How many owners will be needed per platform. Default 400. */
  readonly people?: number;
  /** More of the configuration document, e.g. a queue mode. */
  readonly config?: object;
}

/** What the model does in one conversation, decided from what it is shown. */
export type Plan = (call: ModelCall) => Step | Promise<Step>;

/** The operator's tool that acts outside: a crash must never make it act twice. */
export const unsafeTool = "ring_bell";
const ringSchema = z.object({ word: z.string() });

export class Stage {
  readonly assistant: Assistant;
  readonly places: Places;
  /** Milliseconds the last restart took, until the Worker answered. */
  restartMs = 0;
  readonly #plans = new Map<string, Plan>();

  private constructor(assistant: Assistant) {
    this.assistant = assistant;
    const { telegram, slack, model, tools } = assistant;
    this.places = new Places([telegram.server, slack.server, model.server, tools]);
    model.server.script = (call) => this.#planFor(call)?.(call) ?? { text: "Who are you?" };
    tools.on(unsafeTool, (input) => ({ body: JSON.stringify({ rung: wordOf(input) }) }));
  }

  static async open({ people = 400, config = {} }: StageOptions = {}): Promise<Stage> {
    return new Stage(await Assistant.start({ acting: [unsafeTool], config, people }));
  }

  /** Whoever's message holds this word is answered by this plan. */
  plan(tag: string, plan: Plan): void {
    this.#plans.set(tag, plan);
  }

  /** How often the unsafe tool acted for a word. */
  rung(word: string): number {
    return this.assistant.tools.uses(unsafeTool).filter((input) => wordOf(input) === word).length;
  }

  /** Starts the Worker again on what it has stored. */
  async restart(): Promise<void> {
    const from = performance.now();
    await this.assistant.restart();
    this.restartMs = performance.now() - from;
  }

  /** Resolves while the Worker runs. */
  async up(): Promise<void> {
    const isUp = () => this.assistant.runtime.running;
    await eventually(isUp, { timeoutMs: 90_000, what: "the Worker's start" });
  }

  async close(): Promise<void> {
    await this.assistant.stop();
  }

  /** The newest message that names a plan decides. */
  #planFor(call: ModelCall): Plan | undefined {
    for (const message of call.messages.toReversed()) {
      const words = message.role === "user" ? message.text.split(/\W+/) : [];
      const named = words.find((word) => this.#plans.has(word));
      if (named !== undefined) return this.#plans.get(named);
    }
    return undefined;
  }
}

function wordOf(input: unknown): string {
  return ringSchema.parse(input).word;
}
