import fc from "fast-check";

/**
 * Bodies nobody should ever send: broken, cut off, of the wrong shape, hostile. Generated from a seed,
 * so that a failure can be repeated. Everything is bytes, since not all of it is text.
 */
export type Garbage = Uint8Array;

export interface GarbageKind {
  readonly name: string;
  readonly bodies: fc.Arbitrary<Garbage>;
}

const encoder = new TextEncoder();

/** Text as bytes; lone surrogates stay what they are (three bytes each), as no encoder would write. */
export function rawBytes(text: string): Garbage {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    } else {
      bytes.push(...encoder.encode(character));
    }
  }
  return Uint8Array.from(bytes);
}

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Text that gets into trouble with encodings, terminals, mark-up, queries or patterns. */
export const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary-ascii", maxLength: 200 }),
  fc
    .array(fc.integer({ min: 0xd800, max: 0xdfff }), { minLength: 1, maxLength: 9 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom(
    "\u0000",
    "\uFEFF",
    "\u202Ereversed",
    "a\u0300".repeat(500),
    "x".repeat(20_000),
    "<b><i></b></i><pre><code class='",
    "```".repeat(999),
    "[".repeat(3000),
    "(((((((((a+)+)+)+)+)+)+)+)+)$",
    "'; drop table inbox; --",
    "${TOOL_KEY} {{7*7}} %s%n",
    "__proto__",
    "../../../../etc/passwd",
    "👩‍👩‍👧‍👦".repeat(300),
  ),
);

/** A JSON value as raw text, so that it can be what `JSON.stringify` would not write. */
const hostileJson = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "0",
    "-1",
    "-0",
    "1e999",
    "-1e999",
    "9007199254740993",
    "123456789012345678901234567890",
    "0.1",
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    "[]",
    "{}",
    "[null]",
    '[[[["x"]]]]',
    '{"__proto__":{"isOwner":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"toString":1,"valueOf":null,"length":-1}',
    '{"a":1,"a":2}',
    deep(500),
    deep(20_000),
    deepObject(500),
    `"${"y".repeat(30_000)}"`,
    `[${"0,".repeat(5_000)}0]`,
  ),
  hostileText.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 4 }),
  fc.double().map(String),
);

type Path = readonly (string | number)[];

/** All places in a value, the value itself not among them. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key];
    return [path, ...placesIn(member, path)];
  });
}

const marker = "@@here@@";

/** The body with raw text at one place. */
function withRaw(body: unknown, path: Path, raw: string): string {
  const copy: unknown = structuredClone(body);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  holder[path.at(-1)!] = marker;
  return JSON.stringify(copy).replace(`"${marker}"`, () => raw);
}

function without(body: unknown, path: Path): string {
  const copy: unknown = structuredClone(body);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  Reflect.deleteProperty(holder, path.at(-1)!);
  return JSON.stringify(copy);
}

/** What is not even JSON. */
export const noJson: GarbageKind = {
  name: "no JSON",
  bodies: fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .constantFrom(
        "",
        " ",
        "{",
        "}",
        "]",
        '{"a"',
        '{"a":}',
        "NaN",
        "undefined",
        "'x'",
        "\uFEFF{}",
        "{}{}",
        "\u0000",
        "[1,]",
        "// x",
        '{"a":1}\u0000',
      )
      .map(rawBytes),
    fc
      .constantFrom(
        [0xff, 0xfe],
        [0xc3, 0x28],
        [0xed, 0xa0, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80],
        [0x7b, 0xff, 0x7d],
      )
      .map((bytes) => Uint8Array.from(bytes)),
    hostileText.map(rawBytes),
    fc
      .constantFrom("[".repeat(50_000), '{"a":'.repeat(20_000), `"${"z".repeat(100_000)}`)
      .map(rawBytes),
  ),
};

/** JSON, but of no shape that means anything here. */
export const wrongShape: GarbageKind = {
  name: "JSON of another shape",
  bodies: hostileJson.map(rawBytes),
};

/** A valid body in which one member is something else, or missing, or has hostile company. */
export function spoiled(make: () => unknown): GarbageKind {
  const bodies = fc
    .tuple(fc.nat(), hostileJson, fc.constantFrom("replace", "remove", "__proto__", "constructor"))
    .map(([choice, raw, way]) => {
      const body = make();
      const places = placesIn(body);
      const path = places[choice % places.length] ?? [];
      if (way === "remove") return rawBytes(without(body, path));
      if (way === "replace") return rawBytes(withRaw(body, path, raw));
      return rawBytes(
        withRaw(body, [...path.slice(0, -1), `x${way}`], raw).replace(`"x${way}"`, `"${way}"`),
      );
    });
  return { name: "one member spoiled", bodies };
}

/** A valid body with hostile text in its text members (those whose names are given). */
export function hostileWords(make: () => unknown, names: readonly string[]): GarbageKind {
  const bodies = fc.tuple(fc.nat(), hostileText).map(([choice, text]) => {
    const body = make();
    const places = placesIn(body).filter((path) => names.includes(String(path.at(-1))));
    const raw = JSON.stringify(text);
    const escaped =
      choice % 2 === 0
        ? raw
        : raw.replaceAll(/\\ud([89a-f]..)/g, (_, rest) =>
            String.fromCharCode(Number.parseInt(`d${rest}`, 16)),
          );
    return rawBytes(withRaw(body, places[choice % places.length] ?? [], escaped));
  });
  return { name: "hostile words", bodies };
}

/** The beginning of a valid body, or all of it with something behind. */
export function cutOff(make: () => Garbage): GarbageKind {
  const bodies = fc
    .tuple(fc.nat(), fc.uint8Array({ maxLength: 20 }), fc.boolean())
    .map(([at, tail, cut]) => {
      const whole = make();
      return cut ? whole.slice(0, at % whole.length) : Uint8Array.from([...whole, ...tail, 0x7d]);
    });
  return { name: "cut off or with a tail", bodies };
}

/** A form in which one field is something else, twice there, or missing. */
export function spoiledForm(make: () => Readonly<Record<string, string>>): GarbageKind {
  const bodies = fc
    .tuple(
      fc.nat(),
      fc.oneof(hostileText, hostileJson),
      fc.constantFrom("replace", "remove", "double", "array", "raw"),
    )
    .map(([choice, value, way]) => {
      const fields = Object.entries(make());
      const at = choice % fields.length;
      const [name = "", old = ""] = fields[at] ?? [];
      const rest = fields.filter((_, index) => index !== at);
      const form = new URLSearchParams(rest);
      if (way === "replace" || way === "double") form.append(name, value.toWellFormed());
      if (way === "double") form.append(name, old);
      if (way === "array") form.append(`${name}[]`, old);
      const text = form.toString();
      return rawBytes(way === "raw" ? `${text}&${name}=%zz%ff%00${value}` : text);
    });
  return { name: "one field spoiled", bodies };
}

/** Samples of a kind: the same for the same seed. */
export function samplesOf(kind: GarbageKind, seed: number, count: number): Garbage[] {
  return fc.sample(kind.bodies, { seed, numRuns: count });
}
