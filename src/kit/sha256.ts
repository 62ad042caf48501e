/**
 * SHA-256 (FIPS 180-4), synchronous, over UTF-8 text: ids are computed inside pure functions, through
 * which Web Crypto (asynchronous) would spread promises. Not for secrets and not for large inputs; it
 * only shortens texts to ids without collisions.
 */
const INITIAL = fractionalBits(8, (prime) => Math.sqrt(prime));
const ROUND = fractionalBits(64, (prime) => Math.cbrt(prime));

/** Lower-case hexadecimal digest, 64 characters. Lone surrogates count as U+FFFD. */
export function sha256Hex(text: string): string {
  const blocks = padded(new TextEncoder().encode(text));
  const state = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < blocks.byteLength; offset += 64) {
    fillSchedule(schedule, blocks, offset);
    compress(state, schedule);
  }
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** The message, a one bit, zeros, and its length in bits: a whole number of 64-byte blocks. */
function padded(message: Uint8Array): DataView {
  const size = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(size - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(size - 4, (message.length << 3) >>> 0);
  return view;
}

function fillSchedule(schedule: Uint32Array, blocks: DataView, offset: number): void {
  for (let index = 0; index < 64; index++) {
    if (index < 16) {
      schedule[index] = blocks.getUint32(offset + index * 4);
      continue;
    }
    const a = word(schedule, index - 15);
    const b = word(schedule, index - 2);
    const small0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const small1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    schedule[index] = word(schedule, index - 16) + small0 + word(schedule, index - 7) + small1;
  }
}

/** `work` holds the variables a to h of the standard, in order. */
function compress(state: Uint32Array, schedule: Uint32Array): void {
  const work = Uint32Array.from(state);
  for (let index = 0; index < 64; index++) {
    const [a, b, c] = [word(work, 0), word(work, 1), word(work, 2)];
    const [e, f, g] = [word(work, 4), word(work, 5), word(work, 6)];
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = word(work, 7) + big1 + choice + word(ROUND, index) + word(schedule, index);
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    work.copyWithin(1, 0, 7);
    work[4] = word(work, 4) + first;
    work[0] = first + big0 + majority;
  }
  for (let place = 0; place < 8; place++) state[place] = word(state, place) + word(work, place);
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

function word(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function fractionalBits(count: number, root: (prime: number) => number): Uint32Array {
  const words: number[] = [];
  for (let candidate = 2; words.length < count; candidate++) {
    if (isPrime(candidate)) words.push(Math.floor((root(candidate) % 1) * 2 ** 32));
  }
  return Uint32Array.from(words);
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
    if (candidate % divisor === 0) return false;
  }
  return true;
}
