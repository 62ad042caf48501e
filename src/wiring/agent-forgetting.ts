import type { Documents } from "#contract/dream-run.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { SessionRpc } from "#contract/session-rpc.ts";
import type { MemoryUpkeep } from "#contract/upkeep.ts";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import { forgetInDreams } from "#core/dreaming/forget-dreams.ts";
import { sayingsOf } from "#core/dreaming/sayings.ts";
import { beginForgetting, progressOf } from "#core/memory/begin-forgetting.ts";
import { findFacts, type FactPorts } from "#core/memory/find-facts.ts";
import { forgetProgressText } from "#core/memory/forget-report.ts";
import { forgetId, ForgetStore } from "#core/memory/forget-store.ts";
import { forgetStep, type ForgettingPorts } from "#core/memory/forgetting.ts";
import type { IntentBook } from "#core/memory/intent-book.ts";
import type { IndexKeeper } from "#core/memory/keeper.ts";
import { describeError } from "#kit/redact.ts";
import { createForgetter } from "#kit/text/forget-text.ts";
import { forgetInValue } from "#kit/text/forget-value.ts";
import type { SessionDirectory } from "#platform/agent/sessions.ts";
import type { ArchiveTexts } from "#platform/r2/archive-texts.ts";
import type { AgentFiles } from "./agent-files.ts";
import type { AgentMemory } from "./agent-memory.ts";
import type { HandOver } from "./hand-over.ts";
import { inTime } from "./in-time.ts";

/** Forgetting of one agent: the core's steps over its files, dreams, intents and conversations. */
export interface AgentForgetting extends Pick<MemoryUpkeep, "offer" | "forget" | "forgetting"> {
  /** One step of the forgetting that is under way. */
  step(): Promise<"done" | "more" | "failed">;
  /** Something is being forgotten: nothing else may be made of what is there. */
  isForgetting(): boolean;
}

export interface ForgettingParts {
  readonly files: AgentFiles;
  readonly memory: AgentMemory;
  readonly intents: IntentBook;
  readonly sessions: Pick<SessionDirectory, "after">;
  readonly documents: Documents;
  readonly archives: ArchiveTexts;
  readonly session: (key: string) => SessionRpc;
  readonly handOver: HandOver;
  /** Search and files as this person may see them. */
  readonly lookAs: (identity: string | null) => FactPorts;
  readonly now: Now;
  readonly log: Log;
  /** Has `step` called soon. */
  readonly schedule: () => void;
}

/** What an answer waits for; most forgetting is over by then. */
const WAIT_MS = 4_000;
const SAID_MS = 20_000;
/** Somebody waits for the offer. */
const HAND_OVER = { conversations: 10, parallel: 10, ms: 3_000 };
const INDEX_MS = 3_000;

export function createAgentForgetting(parts: ForgettingParts): AgentForgetting {
  const { now } = parts;
  const store = new ForgetStore(parts.documents);
  const ports = forgettingPorts(parts, store);
  const waiting = new Map<string, PromiseWithResolvers<void>>();

  async function settled(id: string): Promise<void> {
    const done = waiting.get(id) ?? Promise.withResolvers<void>();
    waiting.set(id, done);
    parts.schedule();
    await inTime(done.promise, WAIT_MS, "forgetting").catch(() => undefined);
    waiting.delete(id);
  }

  return {
    async offer({ text, identity, key }) {
      const id = forgetId(key);
      const known = store.offer(id, now());
      if (known) return known;
      await catchUp(parts);
      const found = await findFacts(parts.lookAs(identity), text);
      const offer = { id, at: now(), facts: [...found.facts], more: found.more };
      if (offer.facts.length > 0) store.transaction(() => store.keepOffer(offer));
      return offer;
    },

    async forget(request) {
      const progress = beginForgetting(store, request, { now: now(), sayingsOf });
      if (progress.status !== "running") return progress;
      await settled(request.id);
      return progressOf(store, request.id);
    },

    async forgetting() {
      return [...store.jobs(), ...store.reports()].map(({ id }) => progressOf(store, id));
    },

    isForgetting: () => store.jobs().length > 0,

    async step() {
      const [job] = store.jobs();
      const outcome = await forgetStep(ports);
      if (job && progressOf(store, job.id).status === "done") {
        const awaited = waiting.get(job.id);
        awaited?.resolve();
        if (!awaited) await tell(parts, store, job);
      }
      return outcome;
    },
  };
}

/** What was said just now, here or elsewhere, is found, too; bounded, as somebody waits. */
async function catchUp({ handOver, memory, log }: ForgettingParts): Promise<void> {
  await handOver(HAND_OVER);
  await inTime(memory.keeper.sync(), INDEX_MS, "the index").catch((error: unknown) =>
    log.warn("forgetting.index_behind", { error: describeError(error) }),
  );
}

/** Exactly once, by the conversation's own key; nobody is told twice, at worst nobody. */
async function tell(
  parts: ForgettingParts,
  store: ForgetStore,
  { id, sessionKey }: { readonly id: string; readonly sessionKey: string },
): Promise<void> {
  const progress = progressOf(store, id);
  if (progress.status === "unknown") return;
  try {
    const message = { kind: "notice", text: forgetProgressText(progress) } as const;
    await inTime(
      parts.session(sessionKey).deliver(message, `forget:${id}`),
      SAID_MS,
      "a conversation",
    );
  } catch (error) {
    parts.log.warn("forgetting.not_told", { session: sessionKey, error: describeError(error) });
  }
}

async function indexAll(keeper: IndexKeeper): Promise<void> {
  const failed = await keeper.sync();
  if (failed.length > 0) throw new Error(`not indexed: ${failed.slice(0, 5).join(", ")}`);
}

function forgettingPorts(parts: ForgettingParts, store: ForgetStore): ForgettingPorts {
  const { files, memory, intents, sessions, archives, now, log } = parts;
  const dreams = new DreamStore(parts.documents);
  return {
    store,
    now,
    log,
    async own(facts) {
      const { finds } = createForgetter(facts);
      const present = await files.readClassified("MEMORY.md");
      return () => ({
        intents: intents.forget(finds),
        dreams: forgetInDreams(dreams, facts, present?.text ?? null),
      });
    },
    files: (request) => files.forget(request),
    nextSession: (after) => sessions.after(after),
    said: (key, request) =>
      inTime(parts.session(key).forgetSaid(request), SAID_MS, "a conversation"),
    archives({ facts, after }, onChange) {
      const { forget } = createForgetter(facts);
      return archives.rewrite(after, (line) => forgetInValue(line, forget), onChange);
    },
    /** Files that are no memory are the owner's to change: they are only told. */
    left: (facts, after) => files.saying(createForgetter(facts), after),
    // What was changed just before a crash may have been marked by nobody.
    async index(after) {
      const next = await memory.keeper.compareFrom(after ?? "");
      await indexAll(memory.keeper);
      return next;
    },
    async words(cursor) {
      // Of what is still in the index its words could not go for good.
      if (cursor === null) await indexAll(memory.keeper);
      return memory.index.eraseRemovedWords(cursor);
    },
  };
}
