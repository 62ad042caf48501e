import { err, ok, type Result } from "#contract/result.ts";
import type {
  OperationAuthority,
  ProductPurpose,
  WorkspaceOperation,
} from "#contract/workspace.ts";
import { mayChange } from "#kit/protected-paths.ts";

/**
 * The wall behind the tools: what an operation may change, by the authority it carries. Whoever makes
 * one says on whose word; one that says nothing may do what a stranger's turn may. Errors are for the
 * model, or for the person who edits.
 */
const nobody: OperationAuthority = { kind: "turn", interactiveOwner: false, tainted: true };

export function mayApply(operation: WorkspaceOperation): Result<void, string> {
  const { path, change, untrusted, restores, authority = nobody } = operation;
  if (restores && authority.kind !== "owner") {
    return err("A kept version is brought back only by an owner's own command.");
  }
  switch (authority.kind) {
    case "owner":
      return ok(undefined);
    case "product":
      return mayWriteMemory(path, change.type, authority.purpose);
    case "turn":
      if (change.type === "forget") return err("Only an owner's own command makes it forget.");
      return mayChange(path, change.type === "append" ? "append" : "rewrite", {
        interactiveOwner: authority.interactiveOwner,
        tainted: authority.tainted || untrusted === true,
      });
  }
}

const beyondNotes: Readonly<Record<ProductPurpose, (path: string) => boolean>> = {
  note: () => false,
  directive: (path) => path === "USER.md",
  dreaming: (path) =>
    path === "MEMORY.md" || path === "DREAMS.md" || path.startsWith("memory/dreaming/"),
};

function mayWriteMemory(
  path: string,
  change: WorkspaceOperation["change"]["type"],
  purpose: ProductPurpose,
): Result<void, string> {
  if (change === "append" && path.startsWith("memory/")) return ok(undefined);
  return beyondNotes[purpose](path)
    ? ok(undefined)
    : err(`${path} is not written for this purpose.`);
}
