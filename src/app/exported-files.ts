import type { AgentRpc } from "#contract/agent-rpc.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { WorkspaceFile } from "#contract/workspace.ts";

/**
 * Everything an agent keeps in files, one after the other: its memory and what was said, with the class of
 * each line; then whatever else is in the workspace (lists of somebody's own, skills, DREAMS.md, what nights
 * report) as it is, of one folder at most 5,000 names. Of a file larger than a text may be (`size`), the beginning.
 */
export type ExportingAgent = Pick<
  AgentRpc,
  "listMemory" | "readClassified" | "listFolder" | "readFile"
>;

export async function* exportedFiles(
  agent: ExportingAgent,
): AsyncGenerator<ClassifiedFile | WorkspaceFile> {
  const memory = new Set(await agent.listMemory());
  for (const path of memory) {
    const file = await agent.readClassified(path);
    // It may have gone meanwhile.
    if (file) yield file;
  }
  for await (const path of pathsBelow(agent, "")) {
    const file = memory.has(path) ? null : await agent.readFile(path);
    if (file) yield file;
  }
}

async function* pathsBelow(agent: ExportingAgent, folder: string): AsyncGenerator<string> {
  for (const { name } of await agent.listFolder(folder)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (name.endsWith("/")) yield* pathsBelow(agent, path.slice(0, -1));
    else yield path;
  }
}
