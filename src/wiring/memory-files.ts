import type { MemoryFiles } from "#contract/memory-index.ts";
import type { AgentFiles } from "./agent-files.ts";

/** What the index is made from: files of the memory and transcripts, with the class of each line. */
export function memoryFiles(
  files: Pick<AgentFiles, "reader" | "readClassified" | "listMemory">,
): MemoryFiles {
  return {
    list: (after) => files.listMemory(after),
    async read(path) {
      const classified = await files.readClassified(path);
      if (classified) return classified;
      const present = await files.reader.read(path);
      if (!present) return null;
      const unfit = "it is not text, or larger than 1 MB";
      const nothing = { text: "", lines: [], modifiedAt: 0, authorship: "ours" as const };
      return { path, etag: present.etag, ...nothing, unfit };
    },
  };
}
