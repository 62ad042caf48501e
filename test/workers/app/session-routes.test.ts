import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { sessionRoutes } from "#app/session-routes.ts";

const operator = { ...env, GATEWAY_TOKEN: "gate-0123456789abcdef0123456789abcdef" };

async function listed() {
  const headers = { authorization: `Bearer ${operator.GATEWAY_TOKEN}` };
  const response = await sessionRoutes.request("/sessions", { headers }, operator);
  return response.json<{ sessions: { sessionKey: string }[]; more: boolean }>();
}

test("the list of conversations says when there are more than it shows", async () => {
  const agent = env.AGENT.getByName("main");
  const keyOf = (index: number) => `agent:main:api:direct:listed-${index}`;
  // Other tests had conversations, too.
  const known = (await listed()).sessions.length;
  const added = Array.from({ length: 500 - known }, (_, index) => keyOf(index));
  // All at once: one after another they take longer than a busy machine has.
  await Promise.all(added.map((sessionKey) => agent.markBusy({ sessionKey, mark: 1 })));
  const all = await listed();
  expect([all.sessions.length, all.more]).toEqual([500, false]);

  await agent.markBusy({ sessionKey: keyOf(500), mark: 1 });
  const some = await listed();
  expect([some.sessions.length, some.more]).toEqual([500, true]);
  await Promise.all([...added, keyOf(500)].map((sessionKey) => agent.forgetSession(sessionKey)));
});
