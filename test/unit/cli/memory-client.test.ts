import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryClient, Refused } from "#cli/memory-client.ts";

let seen: string[];
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
  const isKnown = request.headers.authorization === "Bearer good";
  response.writeHead(isKnown ? (request.url?.includes("/nobody/") ? 404 : 200) : 401).end("{}");
});

beforeEach(async () => {
  seen = [];
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function client(token: string, agent = "main") {
  const { port } = server.address() as AddressInfo;
  return createMemoryClient({ url: `http://127.0.0.1:${port}`, token, tokenFrom: "option" }, agent);
}

test("asks the routes of one agent's memory, with the token", async () => {
  expect((await client("good", "a/b")("index?force=true", "POST")).status).toBe(200);
  expect(seen).toEqual(["POST /agents/a%2Fb/memory/index?force=true Bearer good"]);
});

test("what is refused is a sentence that names no secret", async () => {
  await expect(client("bad-token")("status")).rejects.toThrow(/^The token given with --token/);
  await expect(client("bad-token")("status")).rejects.not.toThrow(/bad-token/);
  await expect(client("good", "nobody")("status")).rejects.toThrow(Refused);
});
