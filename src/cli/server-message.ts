import { z } from "zod";

/**
 * What `start.ts` and the process that serves (`dev-server.ts`) say to each other. They are two
 * processes so that the server ends with whoever started it, however that one ends: the channel
 * between them closes, and that is the order to stop.
 */
export const serveOrderSchema = z.object({
  root: z.string(),
  port: z.number().int(),
  /** Variables that are in force over wrangler.toml and .dev.vars. */
  variables: z.record(z.string(), z.string()),
});
export type ServeOrder = z.infer<typeof serveOrderSchema>;

export const serverMessageSchema = z.discriminatedUnion("type", [
  /** What it is doing now, as a person would say it. */
  z.object({ type: z.literal("step"), text: z.string() }),
  /** The port is bound; requests wait until the Worker is built. */
  z.object({ type: z.literal("ready"), url: z.string(), crons: z.array(z.string()) }),
  /** A runtime is gone: nothing is answered any more. */
  z.object({ type: z.literal("lost") }),
  /** It will not come up. `message` may be empty when the reason was written to stderr. */
  z.object({ type: z.literal("failed"), message: z.string() }),
  /** A line of the Worker's console. */
  z.object({ type: z.literal("log"), level: z.string(), message: z.string() }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
