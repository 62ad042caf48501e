import { env } from "cloudflare:workers";
import type { UsageRow } from "#contract/agent-port.ts";
import type { WorkspaceChange, WorkspaceOperation } from "#contract/workspace.ts";

/** An agent of its own for each test, since storage is shared by the tests of a file. */
export function freshAgent() {
  const id = `a-${crypto.randomUUID()}`;
  return { id, stub: env.AGENT.getByName(id) };
}

/** As a tool makes it in an owner's own conversation, with nothing from outside in the window. */
export function change(path: string, what: WorkspaceChange): WorkspaceOperation {
  const authority = { kind: "turn", interactiveOwner: true, tainted: false } as const;
  const author = { trust: "agent", session: "agent:main:main", at: 1_900_000_000_000 } as const;
  return { operationId: `${crypto.randomUUID()}:call`, path, change: what, authority, author };
}

export function append(path: string, text: string): WorkspaceOperation {
  return change(path, { type: "append", text });
}

/** The object of a workspace file, as somebody outside sees it. */
export async function stored(agentId: string, path: string): Promise<string | undefined> {
  const object = await env.FILES.get(`agents/${agentId}/workspace/${path}`);
  return object?.text();
}

export async function editOutside(agentId: string, path: string, text: string): Promise<void> {
  await env.FILES.put(`agents/${agentId}/workspace/${path}`, text);
}

export function usageRow(agentId: string, change: Partial<UsageRow> = {}): UsageRow {
  return {
    id: `${crypto.randomUUID()}:1:0`,
    agentId,
    sessionKey: `agent:${agentId}:main`,
    sessionId: "s1",
    turnId: "t1",
    provider: "demo",
    model: "demo",
    input: 100,
    output: 10,
    cacheRead: 5,
    cacheWrite: 1,
    latencyMs: 20,
    cost: 0.01,
    at: 1_900_000_000_000,
    ...change,
  };
}
