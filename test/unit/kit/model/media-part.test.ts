import { describe, expect, it } from "vitest";
import type { UserPart } from "#contract/model.ts";
import { loadMedia, type MediaOptions, type ShownMedia } from "#kit/model/media-part.ts";

async function show(
  part: { type: "image" | "file"; mimeType: string; name?: string },
  bytes: Uint8Array | null,
  options: Partial<MediaOptions> = {},
): Promise<ShownMedia> {
  const whole: UserPart = { mediaKey: "k", name: "it", ...part };
  const stored = bytes === null ? null : { bytes, mimeType: part.mimeType, name: "it" };
  const media = await loadMedia([{ role: "user", content: [whole] }], {
    images: true,
    documents: true,
    readMedia: () => Promise.resolve(stored),
    ...options,
  });
  return media.get(whole)!;
}

const heads = {
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
  "image/gif": [...new TextEncoder().encode("GIF89a")],
  "image/webp": [...new TextEncoder().encode("RIFF1234WEBP")],
} as const;

describe("loadMedia", () => {
  it.each(Object.entries(heads))("knows %s by its first bytes", async (mimeType, head) => {
    const shown = await show({ type: "image", mimeType: "image/tiff" }, Uint8Array.from(head));
    expect(shown).toEqual({ kind: "image", mimeType, base64: btoa(String.fromCharCode(...head)) });
  });

  it("believes what an image is called when its bytes say nothing", async () => {
    const shown = await show({ type: "image", mimeType: "image/jpg" }, Uint8Array.of(1, 2, 3));
    expect(shown).toMatchObject({ kind: "image", mimeType: "image/jpeg" });
  });

  it("shows an image that was sent as a file", async () => {
    const bytes = Uint8Array.from(heads["image/png"]);
    const shown = await show({ type: "file", mimeType: "application/octet-stream" }, bytes);
    expect(shown).toMatchObject({ kind: "image", mimeType: "image/png" });
  });

  it("shows PDF files where they can be read", async () => {
    const bytes = new TextEncoder().encode("%PDF-1.7");
    const part = { type: "file", mimeType: "application/pdf", name: "a.pdf" } as const;
    expect(await show(part, bytes)).toMatchObject({ kind: "pdf", name: "a.pdf" });
    expect(await show(part, bytes, { documents: false })).toMatchObject({ kind: "text" });
  });

  it("writes text files out, up to a limit", async () => {
    const part = { type: "file", mimeType: "text/csv; charset=utf-8", name: "a.csv" } as const;
    const short = await show(part, new TextEncoder().encode("a,b\n1,ü"));
    expect(short).toEqual({
      kind: "text",
      text: '[file "a.csv" (text/csv; charset=utf-8)]\na,b\n1,ü',
    });
    const long = await show(part, new TextEncoder().encode("x".repeat(70_000)));
    expect(long.kind === "text" && long.text).toMatch(/x\n\[cut: 70000 characters in all\]$/);
  });

  it.each([
    ["is gone", { type: "image", mimeType: "image/png" }, null, {}],
    ["is empty", { type: "image", mimeType: "image/png" }, new Uint8Array(), {}],
    ["is too large", { type: "image", mimeType: "image/png" }, new Uint8Array(4_000_000), {}],
    ["is of an unknown kind", { type: "file", mimeType: "audio/ogg" }, Uint8Array.of(1), {}],
    [
      "cannot be seen",
      { type: "image", mimeType: "image/png" },
      Uint8Array.of(1),
      { images: false },
    ],
    [
      "cannot be read",
      { type: "image", mimeType: "image/png" },
      Uint8Array.of(1),
      { readMedia: () => Promise.reject(new Error("storage")) },
    ],
  ] as const)("puts a note in the place of what %s", async (_what, part, bytes, options) => {
    const shown = await show({ ...part, name: "photo.png" }, bytes, options);
    expect(shown).toMatchObject({ kind: "text", text: expect.stringContaining("photo.png") });
  });
});
