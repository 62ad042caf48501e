import type { ReplyRoute, Sender } from "#contract/message.ts";
import type { Tool } from "#contract/tool.ts";
import { isOneOff } from "#core/routing/session-key.ts";
import type { MemoryAccess } from "./memory-access.ts";
import { onlyOwnersRead } from "./readers.ts";

/** Who asks, and where the answer will be read. */
export interface Place {
  readonly sender: Sender;
  readonly route: ReplyRoute;
}

/** Those that make sense in a conversation, whoever speaks in it. */
export function toolsIn(sessionKey: string, tools: readonly Tool[]): readonly Tool[] {
  return isOneOff(sessionKey) ? tools.filter((tool) => !tool.needsAnswer) : tools;
}

/**
 * Which tools a turn has. What is removed here is not in the schema the model sees, and a call to it
 * is answered like a call to a tool that does not exist.
 */
export function toolsFor(tools: readonly Tool[], place: Place, memory: MemoryAccess): Tool[] {
  return tools.filter((tool) => {
    switch (tool.level) {
      case "owner-only":
        return place.sender.isOwner;
      case "workspace":
        return onlyOwnersRead(place);
      case "memory":
        return memory.read;
      case "own-memory":
        return memory.write;
      case "public":
        return true;
    }
  });
}
