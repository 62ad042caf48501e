import { z } from "zod";

/** The files a folder of benchmark data may hold. */
const turnSchema = z.object({
  id: z.string(),
  speaker: z.string(),
  text: z.string(),
  image: z.string().optional(),
});

export const locomoSchema = z.array(
  z.object({
    id: z.string(),
    sessions: z.array(z.object({ date: z.string(), turns: z.array(turnSchema) })),
    questions: z.array(
      z.object({ question: z.string(), category: z.string(), evidence: z.array(z.string()) }),
    ),
  }),
);

export const bfclSchema = z.object({
  turns: z.record(z.string(), z.array(z.object({ id: z.string(), text: z.string() }))),
  questions: z.array(
    z.object({ scenario: z.string(), question: z.string(), evidence: z.array(z.string()) }),
  ),
});

export const cjkSchema = z.record(
  z.string(),
  z.object({
    documents: z.array(z.string()),
    questions: z.array(z.object({ question: z.string(), document: z.number() })),
  }),
);
