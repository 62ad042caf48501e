import { expect, test } from "vitest";
import { readSegments } from "#platform/d1/memory-segments.ts";

const read = (hex: string) => readSegments(Uint8Array.from(Buffer.from(hex, "hex")));

// As SQLite has written it: three levels, of which the second is told to be merging, or not.
const record = (merging: string) =>
  "00000002FF00000103078C1700030201251E1E0102813F0301371F1F010382340401252020010281" +
  `40${merging}03080181181215010A876C050181171619010B8764070181181A1D010A876A` +
  "0001010184360111012CA153";

test("the segments of a table are read from its record, with what each covers", () => {
  const origins = [
    [30, 30],
    [31, 31],
    [32, 32],
    [18, 21],
    [22, 25],
    [26, 29],
    [1, 17],
  ];
  expect(read(record("00"))).toEqual({ origins, isMerging: false });
  expect(read(record("03"))).toEqual({ origins, isMerging: true });
});

test("a record of another format is none, one that is cut off ends, and where there is none nothing is", () => {
  expect(read("")).toEqual({ origins: [], isMerging: false });
  expect(read("00000001000000")).toEqual({ origins: [], isMerging: false });
  expect(() => read("00000002030000")).toThrow("cannot be read");
  expect(read(record("00").slice(0, 60)).isMerging).toBe(false);
});
