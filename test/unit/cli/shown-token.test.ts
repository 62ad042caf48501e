import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptedToken } from "#cli/shown-token.ts";
import { GatewayServer } from "#test/doubles/gateway-server.ts";
import { newCode } from "#test/harness/words.ts";

/** `npm start -- --show-token` beside a server that runs already. */
const [used, other] = [newCode(20), newCode(20)];
const gateway = new GatewayServer(used);
let url = "";

beforeAll(async () => {
  url = await gateway.start();
});

afterAll(() => gateway.stop());

test("the token that is told is one that the server takes", async () => {
  expect(await acceptedToken(url, [undefined, "", other, used])).toMatchObject({ value: used });
  expect(await acceptedToken(url, [used, other])).toMatchObject({ value: used });
});

test("a token that the server does not take is never told, but where the right one is", async () => {
  const told = await acceptedToken(url, [other]);
  expect(told).toMatchObject({ ok: false, error: expect.stringContaining("it was started with") });
  expect(JSON.stringify(told)).not.toContain(other);
});

test("a server that does not answer is said not to", async () => {
  const gone = new GatewayServer(used);
  const address = await gone.start();
  await gone.stop();
  const told = await acceptedToken(address, [used], 300);
  expect(told).toMatchObject({ ok: false, error: expect.stringContaining("does not answer") });
});
