import type { BootstrapPath } from "#kit/bootstrap-files.ts";
import agents from "./templates/AGENTS.md";
import heartbeat from "./templates/HEARTBEAT.md";
import identity from "./templates/IDENTITY.md";
import memory from "./templates/MEMORY.md";
import soul from "./templates/SOUL.md";
import user from "./templates/USER.md";

/** What a new agent's workspace starts with. Short, since most of it is paid for with every request. */
export const defaultFiles: readonly { readonly path: BootstrapPath; readonly text: string }[] = [
  { path: "AGENTS.md", text: agents },
  { path: "SOUL.md", text: soul },
  { path: "IDENTITY.md", text: identity },
  { path: "USER.md", text: user },
  { path: "MEMORY.md", text: memory },
  { path: "HEARTBEAT.md", text: heartbeat },
];
