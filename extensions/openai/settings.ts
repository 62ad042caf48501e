import { z } from "zod";

/**
 * What the operator may set for OpenAI and for every server that speaks its protocol (OpenRouter,
 * Ollama, vLLM, Azure, …), and what follows from it. Many local servers need no key, so a base URL alone
 * is enough. Nothing here is ever chosen by a model.
 */
export const settingsSchema = z
  .strictObject({
    apiKey: z.string().trim().min(1).optional(),
    /** With its version: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`. */
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    api: z.enum(["responses", "chat"]).optional(),
  })
  .refine((settings) => settings.apiKey !== undefined || settings.baseUrl !== undefined, {
    path: ["apiKey"],
    error: "a key, or the base URL of a server that needs none",
  });
export type Settings = z.infer<typeof settingsSchema>;

export const environment = {
  apiKey: "OPENAI_API_KEY",
  baseUrl: "OPENAI_BASE_URL",
  api: "OPENAI_API",
} as const;

export interface Endpoint {
  readonly baseUrl: string;
  readonly api: "responses" | "chat";
  /** OpenAI's and Azure's own servers know fields that others refuse. */
  readonly dialect: "openai" | "compatible";
}

const ownBaseUrl = "https://api.openai.com/v1";

export function endpointOf(settings: Settings): Endpoint {
  const url = new URL(settings.baseUrl ?? ownBaseUrl);
  if (url.pathname === "/") url.pathname = "/v1";
  const baseUrl = url.href.replace(/\/+$/, "");
  const isOwn = /(^|\.)api\.openai\.com$/.test(url.hostname);
  const isAzure = /\.(openai|services\.ai|cognitiveservices)\.azure\.com$/.test(url.hostname);
  return {
    baseUrl,
    api: settings.api ?? (isOwn ? "responses" : "chat"),
    dialect: isOwn || isAzure ? "openai" : "compatible",
  };
}
