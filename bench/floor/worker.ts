import { DurableObject } from "cloudflare:workers";

/**
 * The least that a durable chat reply takes on this platform: a Worker hands an update to an object,
 * which stores it and sets its alarm; the alarm asks the model once and sends the answer once. No
 * history, no journal, no retries, no checks: not an assistant, but what one is measured against.
 */
interface Bindings {
  readonly FLOOR: DurableObjectNamespace<FloorDO>;
  /** With /v1. */
  readonly MODEL_URL: string;
  readonly MODEL: string;
  /** With the bot's token, without a slash at the end. */
  readonly BOT_URL: string;
}

interface Update {
  readonly message: {
    readonly chat: { readonly id: number };
    readonly message_thread_id: number;
    readonly text: string;
  };
}

type Row = {
  readonly id: number;
  readonly chat: number;
  readonly topic: number;
  readonly text: string;
};

export class FloorDO extends DurableObject<Bindings> {
  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    state.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, chat INTEGER, topic INTEGER, text TEXT)",
    );
  }

  accept({ message }: Update): void {
    const { sql } = this.ctx.storage;
    const { chat, message_thread_id: topic, text } = message;
    sql.exec("INSERT INTO inbox (chat, topic, text) VALUES (?, ?, ?)", chat.id, topic, text);
    void this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    for (const row of sql.exec<Row>("SELECT id, chat, topic, text FROM inbox").toArray()) {
      const answer = await this.#ask(row.text);
      await this.#send(row, answer);
      sql.exec("DELETE FROM inbox WHERE id = ?", row.id);
    }
  }

  async #ask(text: string): Promise<string> {
    const response = await fetch(`${this.env.MODEL_URL}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: this.env.MODEL,
        stream: true,
        messages: [{ role: "user", content: text }],
      }),
    });
    let answer = "";
    for (const line of (await response.text()).split("\n")) {
      if (!line.startsWith("data: {")) continue;
      const chunk = JSON.parse(line.slice("data: ".length)) as {
        choices: { delta: { content?: string } }[];
      };
      answer += chunk.choices[0]?.delta.content ?? "";
    }
    return answer;
  }

  async #send({ chat, topic }: Row, text: string): Promise<void> {
    const response = await fetch(`${this.env.BOT_URL}/sendMessage`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ chat_id: chat, message_thread_id: topic, text }),
    });
    await response.body?.cancel();
  }
}

export default {
  async fetch(request, env) {
    const update = (await request.json()) as Update;
    await env.FLOOR.getByName(String(update.message.message_thread_id)).accept(update);
    return new Response("ok");
  },
} satisfies ExportedHandler<Bindings>;
