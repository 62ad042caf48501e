import { expect, test } from "vitest";
import type { OperationAuthority, WorkspaceChange } from "#contract/workspace.ts";
import { mayApply } from "#core/workspace/authority.ts";

const append = { type: "append", text: "x" } as const;
const write = { type: "write", text: "x" } as const;
const forget = { type: "forget", hashes: [] } as const;
const owner = { kind: "owner" } as const;
const clean = { kind: "turn", interactiveOwner: true, tainted: false } as const;
const tainted = { kind: "turn", interactiveOwner: true, tainted: true } as const;
const unattended = { kind: "turn", interactiveOwner: false, tainted: false } as const;
const notes = { kind: "product", purpose: "note" } as const;
const directive = { kind: "product", purpose: "directive" } as const;
const dreaming = { kind: "product", purpose: "dreaming" } as const;

const cases: [OperationAuthority | undefined, WorkspaceChange, string, boolean][] = [
  [owner, write, "MEMORY.md", true],
  [owner, forget, "memory/2031-05-06.md", true],
  [clean, write, "MEMORY.md", true],
  [clean, forget, "MEMORY.md", false],
  [tainted, append, "MEMORY.md", false],
  [tainted, append, "memory/2031-05-06.md", true],
  [tainted, write, "memory/2031-05-06.md", false],
  [unattended, write, "USER.md", false],
  [unattended, append, "memory/2031-05-06.md", true],
  [undefined, append, "SOUL.md", false],
  [undefined, append, "notes/a.md", true],
  [notes, append, "memory/2031-05-06.md", true],
  [notes, write, "memory/2031-05-06.md", false],
  [notes, append, "MEMORY.md", false],
  [notes, append, "notes/a.md", false],
  [directive, write, "USER.md", true],
  [directive, write, "MEMORY.md", false],
  [directive, write, "SOUL.md", false],
  [dreaming, write, "MEMORY.md", true],
  [dreaming, append, "DREAMS.md", true],
  [dreaming, write, "memory/dreaming/light/2031-05-06.md", true],
  [dreaming, write, "memory/2031-05-06.md", false],
  [dreaming, write, "USER.md", false],
  [dreaming, append, "AGENTS.md", false],
];

test.each(cases)("%j may do %j to %s: %s", (authority, change, path, allowed) => {
  const operation = { operationId: "o", path, change, ...(authority ? { authority } : {}) };
  expect(mayApply(operation).ok).toBe(allowed);
});

test("a mark of untrusted text counts, whatever the authority says of its turn", () => {
  const operation = { operationId: "o", path: "MEMORY.md", change: append, authority: clean };
  expect(mayApply({ ...operation, untrusted: true }).ok).toBe(false);
});
