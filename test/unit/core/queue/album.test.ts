import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareMessageIds, mergeAlbum } from "#core/queue/album.ts";
import { image, row } from "./rows.ts";

const numbered = (seq: number, id: string, text: string) =>
  image(seq, text, { message: { platformMessageId: id } });

describe("mergeAlbum", () => {
  // B13
  test("orders files by message id and ties captions to their file", () => {
    const merged = mergeAlbum([
      numbered(1, "52", ""),
      numbered(2, "51", "before"),
      numbered(3, "53", "after"),
    ]);
    expect(merged.message.text).toBe("image 1: before\nimage 3: after");
    expect(merged.message.attachments.map(({ ref }) => ref)).toEqual([
      "file-2",
      "file-1",
      "file-3",
    ]);
    expect(merged.message.attachments.every(({ caption }) => caption === undefined)).toBe(true);
    expect(merged).toMatchObject({ seq: 1, message: { platformMessageId: "51" } });
  });

  test("takes a single caption on the first file as the album's text", () => {
    const merged = mergeAlbum([numbered(1, "9", "our trip"), numbered(2, "10", "")]);
    expect(merged.message.text).toBe("our trip");
    expect(mergeAlbum([numbered(1, "9", ""), numbered(2, "10", "this one")]).message.text).toBe(
      "image 2: this one",
    );
  });

  test("reads captions that a channel keeps beside the file, and names other kinds", () => {
    const clip = row(2, {
      message: {
        platformMessageId: "2",
        albumId: "mg-1",
        text: "",
        attachments: [{ kind: "video", ref: "v", caption: "the wave" }],
      },
    });
    expect(mergeAlbum([numbered(1, "1", "the beach"), clip]).message.text).toBe(
      "image 1: the beach\nvideo 2: the wave",
    );
  });

  test("keeps text of a part that holds no file or several", () => {
    const two = [{ kind: "image" as const }, { kind: "file" as const, caption: "plan" }];
    const part = row(2, { message: { albumId: "mg-1", text: "see both", attachments: two } });
    expect(mergeAlbum([numbered(1, "1", ""), part]).message.text).toBe("see both\nfile 3: plan");
  });

  test("is addressed or forwarded when any part is", () => {
    const addressed = image(2, "", { message: { mentionsSelf: true } });
    const forwarded = image(3, "", { message: { forwarded: true } });
    expect(mergeAlbum([image(1, ""), addressed, forwarded]).message).toMatchObject({
      mentionsSelf: true,
      forwarded: true,
    });
  });

  test("leaves a single part as it is", () => {
    const only = image(4, "alone");
    expect(mergeAlbum([only])).toBe(only);
  });

  test("gives the same message whatever the order of arrival, with every file and caption once", () => {
    const parts = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 30n }), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat()), (ids, order) => {
        const rows = ids.map((id, index) => numbered(index + 1, String(id), `caption ${id}`));
        const shuffled = rows
          .map((each) => ({ each, rank: order.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ each }) => each);
        const merged = mergeAlbum(shuffled);
        expect(merged).toEqual(mergeAlbum(rows));
        const sorted = [...ids].sort((a, b) => (a < b ? -1 : 1));
        expect(merged.message.text).toBe(
          sorted.map((id, index) => `image ${index + 1}: caption ${id}`).join("\n"),
        );
      }),
    );
  });
});

describe("compareMessageIds", () => {
  test.each([
    ["9", "10"],
    ["99999999999999999998", "99999999999999999999"],
    ["1760000000.000100", "1760000000.000200"],
    ["1760000000.9", "1760000001.1"],
    ["07", "8"],
    ["m-1", "m-2"],
  ])("puts %s before %s", (a, b) => {
    expect(compareMessageIds(a, b)).toBeLessThan(0);
    expect(compareMessageIds(b, a)).toBeGreaterThan(0);
    expect(compareMessageIds(a, a)).toBe(0);
  });
});
