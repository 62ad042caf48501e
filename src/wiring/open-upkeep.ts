import { createArchiveTexts } from "#platform/r2/archive-texts.ts";
import { createAgentUpkeep, type AgentUpkeep, type UpkeepParts } from "./agent-upkeep.ts";
import { sessionStub } from "./stubs.ts";

/** Env → what the owner may ask of one agent's memory. */
type Given = Omit<UpkeepParts, "archives" | "session" | "now"> & { readonly agentId: string };

export function openUpkeep(env: Env, { agentId, ...given }: Given): AgentUpkeep {
  return createAgentUpkeep({
    ...given,
    archives: createArchiveTexts(env.FILES, agentId),
    session: (key) => sessionStub(env, key),
    now: Date.now,
  });
}
