import { expect, test } from "vitest";
import { memoryTools } from "#ext/memory-tools/index.ts";
import { toolsFor, toolsIn } from "#core/agent/tool-policy.ts";
import { noMemory, type MemoryAccess } from "#core/agent/memory-access.ts";
import { buildSessionKey } from "#core/routing/session-key.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { workspaceTools } from "#ext/workspace-tools/index.ts";

const names = (key: string) => toolsIn(key, sessionTools.tools).map(({ name }) => name);

test("nobody is asked where nobody can answer", () => {
  const once = buildSessionKey({ agentId: "main", scope: { kind: "api-once", request: "ab12" } });
  expect(names(once)).toEqual([
    "message",
    "session_status",
    "stay_silent",
    "sessions_list",
    "sessions_history",
    "sessions_search",
  ]);
});

test("a conversation that can be continued has all tools", () => {
  const continued = buildSessionKey({ agentId: "main", scope: { kind: "api", user: "ada" } });
  expect(names(continued)).toEqual(sessionTools.tools.map(({ name }) => name));
});

test("who may only look into the memory gets what looks, and nothing that writes or tells of others", () => {
  const all = [...memoryTools.tools, ...sessionTools.tools, ...workspaceTools.tools];
  const route = {
    channel: "telegram",
    account: "default",
    conversation: "42",
    kind: "direct" as const,
  };
  const guest = { sender: { id: "42", name: "Bea", isOwner: false }, route };
  const given = (memory: MemoryAccess) => toolsFor(all, guest, memory).map(({ name }) => name);
  expect(given({ files: true, read: true, write: false })).toEqual([
    "memory_search",
    "memory_get",
    "stay_silent",
  ]);
  expect(given(noMemory)).toEqual(["stay_silent"]);
});
