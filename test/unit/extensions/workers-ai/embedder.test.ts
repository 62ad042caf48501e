import { expect, test } from "vitest";
import { workersAiEmbedder } from "#ext/workers-ai/embedder.ts";
import { cosine, embed, patientPorts } from "#test/contract/embedder-rig.ts";
import { embedderSuite } from "#test/contract/embedder-suite.ts";
import { AiBindingDouble } from "#test/doubles/ai-binding.ts";
import { wordVector } from "#test/doubles/embedding-steps.ts";
import { WorkersAiEmbeddings } from "#test/doubles/workers-ai-embeddings.ts";

embedderSuite({
  name: "workers-ai",
  start: async (ports) => {
    const server = new WorkersAiEmbeddings();
    const ai = new AiBindingDouble(await server.start());
    return {
      embedder: workersAiEmbedder.create({}, { ...ports, ai }),
      script: server.script,
      secrets: [],
      stop: () => server.stop(),
    };
  },
});

const data = [wordVector("apple", 1024)];

test.each([
  ["the model's answer itself", { shape: [1, 1024], data }],
  ["the API's envelope", { success: true, result: { data } }],
])("a binding that gives %s is understood", async (_name, answer) => {
  const ai = { run: () => Promise.resolve(answer) };
  const embedder = workersAiEmbedder.create({}, { ...patientPorts(), ai });
  const [vector] = await embed(embedder, ["apple"]);
  expect(cosine(vector, vector)).toBeCloseTo(1, 5);
});

test("works only when deployed, and with the binding", () => {
  const ai = { run: () => Promise.resolve({}) };
  const place = (deployed: boolean, ports = {}) => ({
    deployed,
    ports: { ...patientPorts(), ...ports },
  });
  expect(workersAiEmbedder.obstacle?.(place(false, { ai }))).toContain("deployed");
  expect(workersAiEmbedder.obstacle?.(place(true))).toContain("[ai]");
  expect(workersAiEmbedder.obstacle?.(place(true, { ai }))).toBeUndefined();
});
