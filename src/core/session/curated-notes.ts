import type { BootstrapText } from "#contract/agent-port.ts";

/** For `/context`: a curated file of which nothing is shown to the model, or not all. */
export function curatedNotes({ path, text, leftOut = 0 }: BootstrapText): string[] {
  if (leftOut > 0) {
    const what = leftOut === 1 ? "one line" : `${leftOut} lines`;
    return [`- left out of ${path}: ${what} that neither you nor I are known to have written`];
  }
  return text === "" ? [`- ${path}: nothing, since nothing is in it yet`] : [];
}
