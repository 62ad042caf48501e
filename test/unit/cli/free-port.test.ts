import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { findFreePort, portOf } from "#cli/free-port.ts";

async function taken(): Promise<{ port: number; free(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, free: () => new Promise((resolve) => server.close(() => resolve())) };
}

test("passes over a port that is taken", async () => {
  const other = await taken();
  expect(await findFreePort(other.port)).toBeGreaterThan(other.port);
  await other.free();
  expect(await findFreePort(other.port)).toBe(other.port);
});

test("says so when there is none", async () => {
  const other = await taken();
  await expect(findFreePort(other.port, 1)).rejects.toThrow(`${other.port}`);
  await other.free();
});

test.each([
  ["9001", 9001],
  [undefined, 8787],
  ["", 8787],
  ["0", 8787],
  ["70000", 8787],
  ["a port", 8787],
])("PORT=%j means %i", (text, port) => {
  expect(portOf(text, 8787)).toBe(port);
});
