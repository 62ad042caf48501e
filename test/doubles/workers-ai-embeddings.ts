import { z } from "zod";
import { DoubleServer, type RecordedRequest, type Reply } from "./double-server.ts";
import { EmbeddingScript, wordVector } from "./embedding-steps.ts";

/** BGE-M3 as Workers AI answers behind the binding; see ai-binding.ts for the way there. */
const requestSchema = z.strictObject({
  model: z.literal("@cf/baai/bge-m3"),
  text: z.array(z.string().min(1)).min(1).max(100),
});

export class WorkersAiEmbeddings extends DoubleServer {
  readonly script = new EmbeddingScript();

  constructor() {
    super("workers-ai-embeddings");
  }

  protected override async handle({ json }: RecordedRequest): Promise<Reply> {
    const request = requestSchema.safeParse(json);
    if (!request.success) return failure(400, 5004, "Invalid input");
    const { text } = request.data;
    const step = this.script.next(text);
    if ("hang" in step) return new Promise(() => {});
    if ("body" in step) return { body: step.body };
    if ("status" in step) {
      const code = { 401: 3023, 429: 3040 }[step.status] ?? 3000;
      const headers = step.retryAfter === undefined ? {} : { "retry-after": `${step.retryAfter}` };
      return { ...failure(step.status, code, step.message ?? "it failed"), headers };
    }
    const data = step.change(text.map((one) => wordVector(one, 1024)));
    return { body: JSON.stringify({ shape: [data.length, 1024], data, pooling: "cls" }) };
  }
}

function failure(status: number, internalCode: number, description: string): Reply {
  return { status, body: JSON.stringify({ name: "AiError", internalCode, description }) };
}
