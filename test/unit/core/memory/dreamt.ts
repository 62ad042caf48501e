import { cleanLines } from "#core/dreaming/evidence.ts";
import { keptLine } from "#core/memory/transcript-text.ts";

const session = "agent:main:main";
const origin = { trust: "owner" as const, at: 1, session };

/** What a night reads of a message, as the transcript keeps it: on one line. */
export function dreamt(message: string) {
  const { text } = keptLine({ id: "1", role: "user", text: message, origin }, (kept) => kept);
  const path = "sessions/agent.main.main/2031-05-06.md";
  return cleanLines([
    { path, hash: "x", text: `[14:03] owner: ${text}`, origin, day: "2031-05-06" },
  ]);
}
