import { expect, test } from "vitest";
import { exportedFiles, type ExportingAgent } from "#app/exported-files.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";

const inWorkspace = [
  "DREAMS.md",
  "MEMORY.md",
  "ideas.md",
  "memory/2031-05-06.md",
  "memory/dreaming/light/2031-05-06.md",
  "skills/tea/SKILL.md",
];
const memory = ["MEMORY.md", "memory/2031-05-06.md", "memory/gone.md", "sessions/a/2031-05-06.md"];

const agent: ExportingAgent = {
  listMemory: async () => memory,
  readClassified: async (path) =>
    path === "memory/gone.md"
      ? null
      : ({ path, text: path, lines: [] } as unknown as ClassifiedFile),
  listFolder: async (folder) => {
    const below = inWorkspace.filter((path) => folder === "" || path.startsWith(`${folder}/`));
    const names = below.map((path) =>
      path.slice(folder === "" ? 0 : folder.length + 1).replace(/\/.*$/, "/"),
    );
    return [...new Set(names)].map((name) => ({ name, size: 1 }));
  },
  readFile: async (path) => ({ path, text: path, etag: "1", size: 1 }),
};

test("an export has every file of the workspace and what was said, each once", async () => {
  const files = [];
  for await (const file of exportedFiles(agent)) files.push(file);
  const paths = files.map(({ path }) => path);
  expect(paths.toSorted()).toEqual([...inWorkspace, "sessions/a/2031-05-06.md"].toSorted());
  expect(new Set(files.flatMap((file) => ("lines" in file ? [file.path] : [])))).toEqual(
    new Set(memory.filter((path) => path !== "memory/gone.md")),
  );
});
