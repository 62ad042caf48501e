import type { Assistant } from "./assistant.ts";
import type { Latch } from "./latch.ts";
import { newWord } from "./words.ts";

/** A photo whose download waits at the latch. */
export function slowPhoto({ telegram }: Assistant, latch: Latch): Record<string, unknown> {
  const id = newWord();
  const bytes = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]);
  telegram.server.files.set(id, { path: `photos/${id}.png`, bytes });
  telegram.server.gate = async ({ request, phase }) => {
    if (phase === "received" && request.path.includes(id)) await latch.pass();
  };
  return { photo: [{ file_id: id, file_unique_id: id, width: 10, height: 10, file_size: 8 }] };
}
