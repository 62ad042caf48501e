import { expect, test } from "vitest";
import { openaiEmbedder } from "#ext/openai/embedder.ts";
import { embed, patientPorts } from "#test/contract/embedder-rig.ts";
import { embedderSuite } from "#test/contract/embedder-suite.ts";
import { OpenAiServer } from "#test/doubles/openai-server.ts";

async function start(settings: Record<string, string> = {}, ports = patientPorts()) {
  const apiKey = `key-${crypto.randomUUID()}`;
  const server = new OpenAiServer({ keys: [apiKey] });
  await server.start();
  const parsed = openaiEmbedder.settings.parse({ apiKey, baseUrl: server.baseUrl, ...settings });
  return {
    embedder: openaiEmbedder.create(parsed, ports),
    server,
    script: server.embeddings,
    secrets: [apiKey],
    stop: () => server.stop(),
  };
}

embedderSuite({ name: "openai", start: (ports) => start({}, ports) });

test("a model that can is asked for the number of dimensions that is set", async () => {
  const rig = await start({ model: "text-embedding-3-large", dimensions: "256" });
  const [vector] = await embed(rig.embedder, ["apple"]);
  expect(vector).toHaveLength(256);
  expect(rig.server.requests[0]?.json).toMatchObject({ dimensions: 256 });
  expect(rig.embedder).toMatchObject({ model: "openai/text-embedding-3-large", dimensions: 256 });
  await rig.stop();
});

test("a compatible server gets its own model, no key if there is none, and no field it may not know", async () => {
  const server = new OpenAiServer();
  await server.start();
  const settings = { baseUrl: server.url, model: "nomic-embed-text", dimensions: "1536" };
  const embedder = openaiEmbedder.create(openaiEmbedder.settings.parse(settings), patientPorts());
  await embed(embedder, ["apple"]);
  const [request] = server.requests;
  expect(request?.json).toEqual({
    model: "nomic-embed-text",
    input: ["apple"],
    encoding_format: "float",
  });
  expect(request?.headers.authorization).toBeUndefined();
  await server.stop();
});

test.each([
  [{}, "apiKey"],
  [{ apiKey: "k", model: "nomic-embed-text" }, "dimensions"],
  [{ apiKey: "k", dimensions: "many" }, "dimensions"],
  [{ apiKey: "k", baseUrl: "ftp://x" }, "baseUrl"],
])("the settings %j lack a valid %s", (settings, name) => {
  const parsed = openaiEmbedder.settings.safeParse(settings);
  expect(parsed.error?.issues.map(({ path }) => path)).toContainEqual([name]);
});
