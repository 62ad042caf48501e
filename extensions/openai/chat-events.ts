import { z } from "zod";

/**
 * The parts of Chat Completions chunks that we read. As loose as the many servers that send them: a
 * field of an unexpected type is as good as absent, a chunk is never thrown away for it.
 */
const text = z.string().nullish().catch(null);
const count = z.number().nullish().catch(null);

const callSchema = z.object({
  index: count,
  id: text,
  function: z
    .object({
      name: text,
      /** A string in pieces; some servers send the finished object. */
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown())])
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
export type CallDelta = z.infer<typeof callSchema>;

const contentSchema = z
  .union([z.string(), z.array(z.object({ type: text, text }))])
  .nullish()
  .catch(null);

const messageSchema = z
  .object({
    content: contentSchema,
    refusal: text,
    reasoning_content: text,
    reasoning: text,
    tool_calls: z.array(callSchema).nullish().catch(null),
  })
  .nullish()
  .catch(null);
export type MessageDelta = NonNullable<z.infer<typeof messageSchema>>;

const errorSchema = z
  .object({ code: z.union([z.string(), z.number()]).nullish().catch(null), message: text })
  .nullish()
  .catch(null);

const choiceSchema = z.object({
  delta: messageSchema,
  /** A server that does not stream sends the whole message. */
  message: messageSchema,
  finish_reason: text,
  error: errorSchema,
});
export type Choice = z.infer<typeof choiceSchema>;

const usageSchema = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z
      .object({ cached_tokens: count, cache_write_tokens: count })
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null);
export type ChatUsage = NonNullable<z.infer<typeof usageSchema>>;

export const chunkSchema = z.object({
  choices: z.array(choiceSchema).nullish().catch(null),
  usage: usageSchema,
  x_groq: z.object({ usage: usageSchema }).nullish().catch(null),
});
