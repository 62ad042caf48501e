/** Commands of the chat itself, which the assistant knows nothing of: it neither gets nor lists them. */
export function isQuit(line: string): boolean {
  const word = line.trim();
  return word === "/quit" || word === "/exit";
}

/** What comes before the chat is left; the same where no terminal is. */
export function untilQuit(text: string): { readonly message: string; readonly quits: boolean } {
  const lines = text.split("\n");
  const end = lines.findIndex(isQuit);
  const kept = end < 0 ? lines : lines.slice(0, end);
  return { message: kept.join("\n").trim(), quits: end >= 0 };
}

/** Below the assistant's own list; empty for any other message. */
export function ownHelp(message: string): string {
  const asks = message === "/help" || message === "/commands";
  return asks ? "In this chat also: Ctrl-C stops an answer, /quit leaves.\n" : "";
}
