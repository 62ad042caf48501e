import type { Extension } from "#contract/extension.ts";
import { anthropic } from "./anthropic/index.ts";
import { api } from "./api/index.ts";
import { createCustomTools } from "./custom-http/index.ts";
import { demo } from "./demo/index.ts";
import { embeddedVectors } from "./embedded-vectors/index.ts";
import { localEmbedder } from "./local-embedder/index.ts";
import { openaiEmbedder } from "./openai/embedder.ts";
import { memoryTools } from "./memory-tools/index.ts";
import { intentTools } from "./intent-tools/index.ts";
import { openai } from "./openai/index.ts";
import { sessionTools } from "./session-tools/index.ts";
import { slack } from "./slack/index.ts";
import { telegram } from "./telegram/index.ts";
import { vectorize } from "./vectorize/index.ts";
import { workersAiEmbedder } from "./workers-ai/embedder.ts";
import { workersAi } from "./workers-ai/index.ts";
import { workspaceTools } from "./workspace-tools/index.ts";

/**
 * Everything that is plugged in. Order matters where there is a default: the provider is the first
 * that has a key, else the first that needs none and works here; the embedder the first that needs none
 * and works here; the vector store the first that fits.
 */
export const extensions: readonly Extension[] = [
  telegram,
  slack,
  api,
  anthropic,
  openai,
  workersAi,
  demo,
  workersAiEmbedder,
  localEmbedder,
  openaiEmbedder,
  vectorize,
  embeddedVectors,
  workspaceTools,
  memoryTools,
  sessionTools,
  intentTools,
];

/** Tools that the configuration defines. */
export const customTools = createCustomTools;
