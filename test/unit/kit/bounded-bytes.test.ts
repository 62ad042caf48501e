import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBounded } from "#kit/bounded-bytes.ts";

function bodyOf(chunks: readonly Uint8Array[], pulled: number[] = []): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[index];
      if (!chunk) return controller.close();
      pulled.push(index);
      index++;
      controller.enqueue(chunk);
    },
  });
}

describe("readBounded", () => {
  it("gives all bytes in order up to the limit, and null beyond it", async () => {
    const chunk = fc.uint8Array({ minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), fc.nat(300), async (chunks, limit) => {
        const whole = chunks.flatMap((each) => [...each]);
        const read = await readBounded(bodyOf(chunks), limit);
        expect(read === null ? null : [...read]).toEqual(whole.length > limit ? null : whole);
      }),
    );
  });

  it("reads nothing of a body that declares too much", async () => {
    const pulled: number[] = [];
    const many = Array.from({ length: 50 }, () => new Uint8Array(10));
    expect(await readBounded(bodyOf(many, pulled), 100, "5000")).toBeNull();
    expect(pulled.length).toBeLessThan(3);
  });

  it("does not believe a declaration that is too small", async () => {
    expect(await readBounded(bodyOf([new Uint8Array(20)]), 10, "1")).toBeNull();
  });

  it("takes no body as no bytes", async () => {
    expect(await readBounded(null, 10)).toEqual(new Uint8Array());
  });
});
