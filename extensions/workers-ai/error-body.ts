import { z } from "zod";

/** What errors look like: Workers AI's own form, the API's envelope, or OpenAI's. */
const text = z.string().optional().catch(undefined);
const code = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const oneSchema = z.object({ code, type: code, message: text });

const errorSchema = z.object({
  internalCode: code,
  description: text,
  message: text,
  errors: z.array(oneSchema).catch([]),
  error: z
    .union([z.string().transform((message) => oneSchema.parse({ message })), oneSchema])
    .optional()
    .catch(undefined),
});

export interface ErrorBody {
  readonly message: string;
  /** The most specific first. */
  readonly codes: readonly string[];
}

/** Undefined when it does not report an error. */
export function readErrorBody(json: unknown): ErrorBody | undefined {
  const parsed = errorSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { internalCode, description, message, errors, error } = parsed.data;
  const [first] = error ? [error] : errors;
  if (first) {
    const codes = [first.code, first.type].filter((one) => one !== undefined);
    return { message: first.message ?? "the model failed", codes };
  }
  if (internalCode === undefined) return undefined;
  return { message: description ?? message ?? "the model failed", codes: [internalCode] };
}
