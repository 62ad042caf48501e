/** A vector of length 1 in the same direction; null when it has no direction (zero, or not a number). */
export function unitVector(values: ArrayLike<number>): Float32Array | null {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index]! * values[index]!;
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length) || length === 0) return null;
  const unit = new Float32Array(values.length);
  for (let index = 0; index < values.length; index += 1) unit[index] = values[index]! / length;
  return unit;
}
