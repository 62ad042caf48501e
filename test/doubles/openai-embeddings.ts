import { z } from "zod";

/** What the real Embeddings API refuses, and the form of its answers. */
const requestSchema = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.string().min(1)).min(1).max(2048),
  encoding_format: z.enum(["float", "base64"]).optional(),
  dimensions: z.number().int().positive().optional(),
});
export type EmbeddingRequest = z.infer<typeof requestSchema>;

/** The request, or why it is refused. */
export function readEmbeddingRequest(json: unknown): EmbeddingRequest | string {
  const parsed = requestSchema.safeParse(json);
  if (!parsed.success) return `Invalid request: ${z.prettifyError(parsed.error)}`;
  const { model, dimensions } = parsed.data;
  if (dimensions !== undefined && !model.startsWith("text-embedding-3-")) {
    return "This model does not support specifying dimensions.";
  }
  return parsed.data;
}

export function embeddingAnswer(model: string, rows: readonly (number | null)[][]): string {
  const data = rows.map((embedding, index) => ({ object: "embedding", index, embedding }));
  // The API promises an index, not an order.
  const usage = { prompt_tokens: 1, total_tokens: 1 };
  return JSON.stringify({ object: "list", data: data.toReversed(), model, usage });
}
