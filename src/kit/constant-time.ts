/**
 * Are two secrets the same? The time taken depends on the length of what was given, not on where the
 * two differ. An empty expected value matches nothing: a missing secret must not open a door.
 */
export function constantTimeEqual(given: string, expected: string): boolean {
  if (expected === "") return false;
  const encoder = new TextEncoder();
  const a = encoder.encode(given);
  const b = encoder.encode(expected);
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) {
    difference |= (a[index] ?? 0) ^ (b[index % b.length] ?? 0);
  }
  return difference === 0;
}
