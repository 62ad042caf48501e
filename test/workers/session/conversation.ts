import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { AcceptEnvelope } from "#contract/inbox.ts";
import type { Turn } from "#contract/turn.ts";
import { createSessionStore } from "#platform/session/store.ts";
import type { SessionStore } from "#contract/session-store.ts";

/** An API caller's conversation in a real SessionDO; what answers is the embedded model. */
export class Conversation {
  readonly name = `user-${crypto.randomUUID()}`;
  readonly key: string;
  readonly stub;

  constructor(key?: string) {
    this.key = key ?? `agent:main:api:direct:${this.name}`;
    this.stub = env.SESSION.getByName(this.key);
  }

  envelope(text: string, change: Partial<AcceptEnvelope> = {}, id = crypto.randomUUID()) {
    const { name } = this;
    const route = {
      channel: "api",
      account: "default",
      conversation: name,
      kind: "direct",
    } as const;
    const message = {
      channel: "api",
      account: "default",
      route,
      sender: { id: name, name: "API", isOwner: true },
      text,
      attachments: [],
      forwarded: false,
      mentionsSelf: true,
      deliveryId: id,
      platformMessageId: id,
      sentAt: Date.now(),
      receivedAt: Date.now(),
    };
    return { message, ...change } satisfies AcceptEnvelope;
  }

  /** What is stored, seen from inside the object. */
  inside<T>(look: (store: SessionStore, state: DurableObjectState) => T): Promise<Awaited<T>> {
    return runInDurableObject(this.stub, (_instance, state) =>
      look(
        createSessionStore(state.storage, () => Date.now()),
        state,
      ),
    ) as Promise<Awaited<T>>;
  }

  /** Lets the object work, whatever its clock says, until the message's turn has ended. */
  async turnOf(seq: number): Promise<Turn> {
    return vi.waitFor(async () => {
      await runDurableObjectAlarm(this.stub);
      const turn = await this.inside(({ inbox, turns }) => turns.get(inbox.get(seq)?.turnId ?? ""));
      if (!turn?.endedAt) throw new Error(`message ${seq} is not answered`);
      return turn;
    }, 10_000);
  }
}
