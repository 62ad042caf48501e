import type { Turn } from "#contract/turn.ts";
import type { Tool } from "#contract/tool.ts";

/**
 * Which tools a turn has. What is removed here is not in the schema the model sees, and a call to it
 * is answered like a call to a tool that does not exist.
 */
export function toolsFor(tools: readonly Tool[], turn: Turn): Tool[] {
  const { sender, route } = turn.detail;
  return tools.filter((tool) => {
    switch (tool.level) {
      case "owner-only":
        return sender.isOwner;
      case "workspace":
        // The files are the owner's memory: only where every reader is an owner.
        return sender.isOwner && route.kind === "direct";
      case "public":
        return true;
      case "disabled":
        return false;
    }
  });
}
