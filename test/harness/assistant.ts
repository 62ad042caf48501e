import { z } from "zod";
import { AnthropicServer } from "#test/doubles/anthropic-server.ts";
import { OpenAiServer } from "#test/doubles/openai-server.ts";
import { ToolService } from "#test/doubles/tool-service.ts";
import { ApiSide } from "./api-side.ts";
import { ModelSide } from "./model-side.ts";
import { Runtime } from "./runtime.ts";
import { SlackSide } from "./slack-side.ts";
import { TelegramSide } from "./telegram-side.ts";
import { age, editSessions } from "./stored-session.ts";
import { settled, temporaryDirectory } from "./wait.ts";
import { newCode, newNumber } from "./words.ts";

/**
 * The whole assistant with the world around it: the real Worker in workerd, and servers that stand in
 * for Telegram, Slack, the model providers and the operator's own tools. One for each test file; each
 * test takes people of its own (`telegram.owner()`), and so conversations of its own.
 */
export interface AssistantOptions {
  /** Over the usual ones; undefined takes one away. */
  readonly vars?: Readonly<Record<string, string | undefined>>;
  /** The configuration document; text is taken as it is. */
  readonly config?: object | string;
  /** Names of HTTP tools that only read, and of such that act, served by `tools`. */
  readonly reading?: readonly string[];
  readonly acting?: readonly string[];
  /** How many owners will be needed per platform, if more than usual. */
  readonly people?: number;
  /** See RuntimeOptions. */
  readonly around?: string;
}

export interface LogEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

const logSchema = z.looseObject({ event: z.string() });

export class Assistant {
  readonly telegram = new TelegramSide(() => this.runtime);
  readonly slack = new SlackSide(() => this.runtime);
  readonly api = new ApiSide(() => this.runtime);
  /** The default model (Anthropic's API). */
  readonly model = new ModelSide(new AnthropicServer());
  /** Another one, at an OpenAI-type server. */
  readonly other = new ModelSide(new OpenAiServer());
  readonly tools = new ToolService();
  readonly directory = temporaryDirectory();
  /** Every secret the Worker is given. */
  readonly secrets: readonly string[];
  readonly #keys = {
    ANTHROPIC_API_KEY: `sk-ant-${newCode(30)}`,
    OPENAI_API_KEY: `sk-${newCode(40)}`,
    /** What the operator's own tools ask for. */
    TOOL_KEY: `tool-${newCode(24)}`,
  };
  readonly #options: AssistantOptions;
  #runtime: Runtime | undefined;

  private constructor(options: AssistantOptions) {
    this.#options = options;
    const { telegram, slack, api } = this;
    const { people = 0 } = options;
    while (telegram.owners.length < people) telegram.owners.push(newNumber(10));
    while (slack.owners.length < people) slack.owners.push(`U0${newCode(8)}`);
    this.secrets = [telegram.vars, slack.vars, api.vars, this.#keys].flatMap((vars) =>
      Object.entries(vars)
        .filter(([name]) => name !== "TELEGRAM_BOT_USERNAME")
        .map(([, value]) => value),
    );
  }

  static async start(options: AssistantOptions = {}): Promise<Assistant> {
    const assistant = new Assistant(options);
    await Promise.all(assistant.#servers().map((server) => server.start()));
    const { path: directory } = assistant.directory;
    const { around } = options;
    assistant.#runtime = await Runtime.start({
      directory,
      vars: assistant.vars(),
      ...(around === undefined ? {} : { around }),
    });
    return assistant;
  }

  get runtime(): Runtime {
    if (!this.#runtime) throw new Error("the assistant is not started");
    return this.#runtime;
  }

  /** The Worker's environment, for `restart` with changes. */
  vars(changes: AssistantOptions = {}): Record<string, string> {
    const options = { ...this.#options, ...changes };
    const { telegram, slack, api } = this;
    const owners = [
      ...telegram.owners.map((id) => `telegram:${id}`),
      ...slack.owners.map((id) => `slack:${id}`),
    ];
    const all: Record<string, string | undefined> = {
      ...telegram.vars,
      ...slack.vars,
      ...api.vars,
      ...this.#keys,
      OWNERS: owners.join(","),
      TELEGRAM_API_ROOT: telegram.server.url,
      SLACK_API_ROOT: slack.server.apiRoot,
      ANTHROPIC_BASE_URL: this.model.server.baseUrl,
      OPENAI_BASE_URL: this.other.server.baseUrl,
      PAGURUS_CONFIG: this.#document(options),
      ...options.vars,
    };
    const set = Object.entries(all).filter(([, value]) => value !== undefined);
    return Object.fromEntries(set) as Record<string, string>;
  }

  /**
   * Kills the Worker and starts it again on the same state, as it was or with changes. Not in the
   * middle of a send: what a kill there does is for the crash tests.
   */
  async restart(changes: AssistantOptions = {}): Promise<void> {
    await this.#quiet();
    await this.runtime.restart(this.vars(changes));
  }

  /** Lets something happen to the state on disk while the Worker does not run. */
  async meanwhile(happens: (directory: string) => void): Promise<void> {
    await this.#quiet();
    await this.runtime.kill();
    happens(this.directory.path);
    await this.runtime.restart();
  }

  /** As if so much time had passed since anything was said. */
  async rest(ms: number): Promise<void> {
    await this.meanwhile((directory) => editSessions(directory, (session) => age(session, ms)));
  }

  async stop(): Promise<void> {
    await this.#runtime?.stop();
    await Promise.all(this.#servers().map((server) => server.stop()));
    this.directory.remove();
  }

  /** Log lines of one event (or of all) since the start. */
  events(name?: string): LogEvent[] {
    return this.runtime.logs.flatMap(({ message }) => {
      const line = logSchema.safeParse(message.startsWith("{") ? readJson(message) : null);
      return line.success && (name ?? line.data.event) === line.data.event ? [line.data] : [];
    });
  }

  /** Turns that have ended in a conversation, oldest first. */
  turns(sessionKey: string): LogEvent[] {
    return this.events("turn.ended").filter((line) => line["session"] === sessionKey);
  }

  /** The key of a person's direct chat on Telegram. */
  directKey(telegramId: number, agent = "main"): string {
    return `agent:${agent}:telegram:direct:${telegramId}`;
  }

  /** Resolves when the Worker, if it runs, has had time to take in the last answer it got. */
  async #quiet(): Promise<void> {
    if (!this.runtime.running) return;
    const requests = () => this.#servers().reduce((sum, server) => sum + server.requests.length, 0);
    await settled(requests, 200);
  }

  #servers() {
    const { telegram, slack, model, other, tools } = this;
    return [telegram.server, slack.server, model.server, other.server, tools];
  }

  #document({ config, reading = [], acting = [] }: AssistantOptions): string | undefined {
    if (typeof config === "string") return config;
    const tool = (name: string, replay: "safe" | "unsafe") => ({
      name,
      replay,
      description: `The operator's ${name}.`,
      url: `${this.tools.url}/${name}`,
      headers: { authorization: "Bearer ${TOOL_KEY}" },
      parameters: { type: "object", properties: { word: { type: "string" } } },
    });
    const custom = [
      ...reading.map((name) => tool(name, "safe")),
      ...acting.map((name) => tool(name, "unsafe")),
    ];
    const document = { ...config, ...(custom.length > 0 && { tools: { custom } }) };
    return Object.keys(document).length === 0 ? undefined : JSON.stringify(document);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Not one of our lines.
  }
}
