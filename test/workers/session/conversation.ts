import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { AcceptEnvelope } from "#contract/inbox.ts";
import type { Turn } from "#contract/turn.ts";
import type { SessionStore } from "#contract/session-store.ts";
import { work } from "#core/session/work.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { createSessionStore } from "#platform/session/store.ts";
import { createSessionPorts } from "#wiring/session-object.ts";

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

  /**
   * Acts on what is stored with other parts in place of some: for neighbours that fail as none of them
   * does on request. The object itself takes no part unless an alarm rings, so let the clock be far
   * ahead; afterwards it is loaded anew.
   */
  async withParts<T>(
    change: (real: SessionPorts) => Partial<SessionPorts>,
    act: (ports: SessionPorts) => Promise<T>,
  ): Promise<T> {
    const result = await runInDurableObject(this.stub, (_instance, state) => {
      const real = createSessionPorts(state, env, () => {});
      return act({ ...real, ...change(real) });
    });
    await evictDurableObject(this.stub);
    return result;
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

/** Works with these parts until the message's turn has ended; `tick` is called after each run. */
export async function workUntilDone(
  ports: SessionPorts,
  seq: number,
  tick: () => void = () => {},
): Promise<Turn> {
  const { inbox, turns } = ports.store;
  for (let run = 0; run < 20; run += 1) {
    await work(ports);
    const turn = turns.get(inbox.get(seq)?.turnId ?? "");
    if (turn?.endedAt) return turn;
    tick();
  }
  throw new Error(`message ${seq} is not answered`);
}
