import { err, type Result } from "#contract/result.ts";
import {
  MAX_FILE_BYTES,
  type WorkspaceChange,
  type WorkspaceOperation,
} from "#contract/workspace.ts";
import { workspacePath } from "#kit/workspace-path.ts";
import { byteLength } from "./apply-change.ts";
import { mayApply } from "./authority.ts";

/** What keeps an operation out of the log: it could not be carried out, or its authority is not enough. */
const MAX_ID_LENGTH = 200;
/** Beside the text of the change in one row of the log. */
const MAX_QUOTED_BYTES = 200_000;

export function operationFault(operation: WorkspaceOperation): Result<void, string> {
  const { operationId, path, change, quoted = [] } = operation;
  if (operationId === "" || encodeURIComponent(operationId).length > MAX_ID_LENGTH) {
    return err("The operation id is empty or too long.");
  }
  const parsed = workspacePath(path);
  if (!parsed.ok) return parsed;
  if (parsed.value !== path) return err("The path is not in its normal form.");
  if (changeSize(change) > MAX_FILE_BYTES) {
    return err(`The change is larger than ${MAX_FILE_BYTES} bytes. Make it in parts.`);
  }
  if (changeTexts(change).includes("\0")) {
    return err("The change holds a zero character, which makes a file unreadable as text.");
  }
  if (byteLength(JSON.stringify(quoted)) > MAX_QUOTED_BYTES) {
    return err("The change quotes too much. Make it in parts.");
  }
  return mayApply(operation);
}

/** What it brings in. */
function changeTexts(change: WorkspaceChange): string {
  switch (change.type) {
    case "write":
    case "append":
      return change.text;
    case "replace":
      return change.newText;
    case "forget":
      return "";
  }
}

function changeSize(change: WorkspaceChange): number {
  if (change.type === "forget") return byteLength(JSON.stringify(change.hashes));
  if (change.type !== "replace") return byteLength(change.text);
  return byteLength(change.oldText) + byteLength(change.newText);
}
