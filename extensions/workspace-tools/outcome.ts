import type { ToolContext, ToolOutcome } from "#contract/tool.ts";
import type { WorkspaceChange } from "#contract/workspace.ts";
import { mayChange } from "#kit/protected-paths.ts";
import { workspacePath } from "#kit/workspace-path.ts";

/** A result that says why nothing was done. */
export function refused(text: string): ToolOutcome {
  return { text, isError: true };
}

/**
 * The one way from a tool to a changed file: checks the path, then whether this turn may change it,
 * and makes the change exactly once under the call's own id.
 */
export async function changeFile(
  path: string,
  change: WorkspaceChange,
  context: ToolContext,
): Promise<ToolOutcome> {
  const parsed = workspacePath(path);
  if (!parsed.ok) return refused(parsed.error);
  const kind = change.type === "append" ? "append" : "rewrite";
  const allowed = mayChange(parsed.value, kind, context);
  if (!allowed.ok) return refused(allowed.error);
  const { sessionKey: session, now: at, interactiveOwner } = context;
  // What nobody has just asked for where only owners read is not to be trusted either.
  const tainted = context.tainted || !interactiveOwner;
  const result = await context.workspace.apply({
    operationId: context.operationId,
    path: parsed.value,
    change,
    authority: { kind: "turn", interactiveOwner, tainted },
    author: { trust: tainted ? "untrusted" : "agent", session, at },
    ...(tainted ? { untrusted: true } : {}),
  });
  if (!result.ok) return refused(result.reason);
  if (result.stands) {
    return { text: `That stands in ${parsed.value} already: nothing was added.` };
  }
  return {
    text: `${result.created ? "Created" : "Changed"} ${parsed.value} (${result.size} bytes).`,
  };
}
