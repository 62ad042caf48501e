import { maskPersonalNumbers } from "./personal-numbers.ts";
import { redact } from "./redact.ts";

/** What code may keep of a conversation unasked: no secrets, no card, account or identity numbers. */
export function keepable(text: string): string {
  return maskPersonalNumbers(redact(text));
}
