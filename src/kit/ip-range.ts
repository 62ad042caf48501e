/**
 * Which IP addresses are part of the public internet. Takes addresses in the canonical form that the URL
 * parser makes of every notation (decimal, octal, hex, shortened, full-width), so it parses nothing else.
 * IPv6 is closed by default: only 2000::/3 without its special blocks is public, so mapped, translated,
 * unique-local, link-local and multicast addresses need no entry of their own.
 */
type Prefix = readonly [groups: readonly number[], bits: number];

/** IANA special-purpose registry, and the addresses on which clouds serve credentials. */
const reservedIpv4: readonly Prefix[] = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  [[168, 63, 129, 16], 32],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 0, 2, 0], 24],
  [[192, 88, 99, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  [[198, 51, 100, 0], 24],
  [[203, 0, 113, 0], 24],
  [[224, 0, 0, 0], 4],
  [[240, 0, 0, 0], 4],
];

const publicIpv6: Prefix = [[0x2000], 3];
const reservedIpv6: readonly Prefix[] = [
  [[0x2001, 0], 23],
  [[0x2001, 0xdb8], 32],
  [[0x2002], 16],
  [[0x3fff, 0], 20],
];

/** The four numbers of a dotted IPv4 address, or null. */
export function parseIpv4(host: string): number[] | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return null;
  const parts = host.split(".").map(Number);
  return parts.every((part) => part <= 255) ? parts : null;
}

/** The eight groups of an IPv6 address without brackets or dots, or null. */
export function parseIpv6(host: string): number[] | null {
  if (!/^[0-9a-f:]+$/i.test(host)) return null;
  const [head = "", tail, more] = host.split("::");
  if (more !== undefined) return null;
  const left = groupsOf(head);
  const right = groupsOf(tail ?? "");
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...left, ...Array.from({ length: missing }, () => 0), ...right];
  return groups.every((group) => group >= 0 && group <= 0xffff) ? groups : null;
}

export function isPublicIpv4(address: readonly number[]): boolean {
  return !reservedIpv4.some((prefix) => isWithin(address, prefix, 8));
}

export function isPublicIpv6(address: readonly number[]): boolean {
  return (
    isWithin(address, publicIpv6, 16) &&
    !reservedIpv6.some((prefix) => isWithin(address, prefix, 16))
  );
}

function groupsOf(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => parseInt(group, 16) || toZero(group));
}

/** Not-a-number stays out of range; a written zero is zero. */
function toZero(group: string): number {
  return /^0+$/.test(group) ? 0 : -1;
}

function isWithin(address: readonly number[], [prefix, bits]: Prefix, width: number): boolean {
  for (let index = 0, left = bits; left > 0; index++, left -= width) {
    const shift = Math.max(0, width - left);
    if ((address[index] ?? 0) >> shift !== (prefix[index] ?? 0) >> shift) return false;
  }
  return true;
}
