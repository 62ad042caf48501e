import { styleText } from "node:util";

/** The terminal as the commands write to it: news on standard output, complaints on standard error. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Returns the exit code of a command that failed. */
export function complain(text: string): 1 {
  process.stderr.write(`${text}\n`);
  return 1;
}

export function bold(text: string): string {
  return styleText("bold", text, { stream: process.stdout });
}

export function dim(text: string): string {
  return styleText("dim", text, { stream: process.stdout });
}
