import fc from "fast-check";
import { expect, it } from "vitest";
import { toBase64 } from "#kit/model/base64.ts";

it("encodes any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    }),
  );
});

it("encodes more bytes than fit in one piece", () => {
  const bytes = Uint8Array.from({ length: 200_001 }, (_, index) => index % 251);
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
});
