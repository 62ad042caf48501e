import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { err, ok } from "#contract/result.ts";
import { findFreePort, portOf } from "#cli/free-port.ts";

async function taken(): Promise<{ port: number; free(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, free: () => new Promise((resolve) => server.close(() => resolve())) };
}

test("passes over a port that is taken", async () => {
  const other = await taken();
  const next = await findFreePort(other.port);
  expect(next.ok && next.value).toBeGreaterThan(other.port);
  await other.free();
  expect(await findFreePort(other.port)).toEqual(ok(other.port));
});

test("says so when there is none", async () => {
  const other = await taken();
  expect(await findFreePort(other.port, 1)).toEqual(err(expect.stringContaining(`${other.port}`)));
  await other.free();
});

test.each([
  ["9001", 9001],
  [undefined, 8787],
  ["", 8787],
  [" 9002 ", 9002],
])("PORT=%j means %i", (text, port) => {
  expect(portOf(text, 8787)).toEqual(ok(port));
});

test.each(["0", "65536", "70000", "-1", "80.5", "1e3", "0x50", "a port"])(
  "PORT=%j is refused, not replaced",
  (text) => {
    const refused = portOf(text, 8787);
    expect(refused).toEqual(err(expect.stringContaining(`PORT is "${text}"`)));
    expect(!refused.ok && refused.error).not.toContain("\n");
  },
);
