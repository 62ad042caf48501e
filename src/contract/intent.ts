import { z } from "zod";

/**
 * A standing intent: "when X comes up, do Y". Armed by the owner through the assistant, brought to mind
 * by words of a message, without a model. Kept by AgentDO; never scoped to a project.
 */
export const intentStatuses = ["armed", "done", "cancelled", "expired"] as const;
export type IntentStatus = (typeof intentStatuses)[number];

export const intentSchema = z.object({
  /** Short, for people to name it. */
  id: z.string(),
  /** What has to come up, in words. */
  when: z.string(),
  /** What is to be done then. */
  action: z.string(),
  /** Any of these phrases in a message brings it up; empty = cannot be told by words. */
  keywords: z.array(z.string()),
  status: z.enum(intentStatuses),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** When it is brought up once by itself, because no words can; null = not needed. */
  reviewAt: z.number().nullable(),
  fires: z.number().int(),
  lastFiredAt: z.number().nullable(),
  /** The turn it came up in last: there it counts once, however often that turn is resumed. */
  lastTurnId: z.string().nullable(),
});
export type Intent = z.infer<typeof intentSchema>;

export interface NewIntent {
  readonly when: string;
  readonly action: string;
  /** Phrases the model suggests; what the owner's words give is added. */
  readonly keywords: readonly string[];
}

/** The intents of an agent. Every change may be repeated; the error is for the model. */
export interface Intents {
  /** Makes one intent per key. */
  create(intent: NewIntent, key: string): Promise<IntentReceipt>;
  /** Those that are armed first, then the latest of the others; at most a hundred. */
  list(): Promise<readonly Intent[]>;
  close(id: string, status: "done" | "cancelled"): Promise<IntentReceipt>;
  /** Counts them as brought up by this turn; returns those that may be, each once per turn. */
  fire(ids: readonly string[], turnId: string): Promise<readonly Intent[]>;
}

export type IntentReceipt =
  | { readonly ok: true; readonly intent: Intent }
  | { readonly ok: false; readonly reason: string };

/** Where they are kept. Synchronous: what happens between two awaits commits as one. */
export interface IntentStore {
  get(id: string): Intent | null;
  armed(): Intent[];
  /** The latest of those that are not armed. */
  closed(limit: number): Intent[];
  put(intent: Intent): void;
  remove(id: string): void;
}
