import { z } from "zod";

/**
 * What the operator may set for Anthropic. Read from the environment by the wiring; nothing here is
 * ever chosen by a model. The base URL is for proxies, gateways and tests.
 */
export const settingsSchema = z.strictObject({
  apiKey: z.string().trim().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const environment = {
  apiKey: "ANTHROPIC_API_KEY",
  baseUrl: "ANTHROPIC_BASE_URL",
} as const;

/** Origin and path before `/v1/messages`. */
export function baseUrlOf(settings: Settings): string {
  const url = settings.baseUrl ?? "https://api.anthropic.com";
  return url.replace(/\/+$/, "").replace(/\/v1$/, "");
}
