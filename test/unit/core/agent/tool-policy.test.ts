import { expect, test } from "vitest";
import { toolsIn } from "#core/agent/tool-policy.ts";
import { buildSessionKey } from "#core/routing/session-key.ts";
import { sessionTools } from "#ext/session-tools/index.ts";

const names = (key: string) => toolsIn(key, sessionTools.tools).map(({ name }) => name);

test("nobody is asked where nobody can answer", () => {
  const once = buildSessionKey({ agentId: "main", scope: { kind: "api-once", request: "ab12" } });
  expect(names(once)).toEqual(["message", "session_status", "stay_silent"]);
});

test("a conversation that can be continued has all tools", () => {
  const continued = buildSessionKey({ agentId: "main", scope: { kind: "api", user: "ada" } });
  expect(names(continued)).toEqual(sessionTools.tools.map(({ name }) => name));
});
