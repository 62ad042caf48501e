import { defineToolSet } from "#contract/extension.ts";
import { askUser } from "./ask-user.ts";
import { message } from "./message.ts";
import { pastSessions } from "./past-sessions.ts";
import { sessionStatus } from "./session-status.ts";
import { staySilent } from "./stay-silent.ts";

/** What a turn can do about its own conversation, and learn of others. */
export const sessionTools = defineToolSet({
  kind: "tools",
  id: "session-tools",
  tools: [message, askUser, sessionStatus, staySilent, ...pastSessions],
});
