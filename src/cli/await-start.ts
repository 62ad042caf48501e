import { setTimeout as sleep } from "node:timers/promises";
import { livingNote } from "./run-note.ts";

/**
 * For commands that talk to the server of this machine: while `npm start` is still starting, says so
 * once and waits until it is up, or has given up.
 */
const PAUSE_MS = 200;

export async function awaitStart(root: string, say: (text: string) => void): Promise<void> {
  for (let said = false; livingNote(root)?.phase === "starting"; said = true) {
    if (!said) say("Pagurus is starting …");
    await sleep(PAUSE_MS);
  }
}
