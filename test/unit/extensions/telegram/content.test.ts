import { describe, expect, it } from "vitest";
import { richText } from "#ext/telegram/content.ts";
import { fixtureMessage, onlyMessage, parseText } from "./fixture.ts";

function message(fields: object) {
  const chat = { id: 111_000_111, type: "private", first_name: "Ada" };
  const from = { id: 111_000_111, is_bot: false, first_name: "Ada" };
  const whole = { message_id: 5, date: 1_760_000_000, chat, from, ...fields };
  return onlyMessage(parseText(JSON.stringify({ update_id: 9, message: whole })));
}

describe("what a message carries besides text", () => {
  it("takes the largest of a photo's sizes", () => {
    const { text, attachments } = fixtureMessage("photo");
    expect(text).toBe("what plant is this?");
    expect(attachments).toEqual([
      { kind: "image", ref: "file-l", mimeType: "image/jpeg", name: "photo.jpg", size: 240_000 },
    ]);
  });

  it("takes a voice message as audio", () => {
    expect(fixtureMessage("voice").attachments).toEqual([
      { kind: "audio", ref: "file-v", mimeType: "audio/ogg", name: "voice.ogg", size: 9000 },
    ]);
  });

  it("lists a file that is too large, without a handle", () => {
    expect(fixtureMessage("document-too-large").attachments).toEqual([
      {
        kind: "file",
        unavailable: "larger than 20 MB",
        mimeType: "video/x-matroska",
        name: "film.mkv",
        size: 31_457_280,
      },
    ]);
  });

  it("takes an animation and its document twin as one video", () => {
    expect(fixtureMessage("animation").attachments).toMatchObject([{ kind: "video" }]);
  });

  it("says that there was a sticker", () => {
    const { text, attachments } = fixtureMessage("sticker");
    expect(text).toBe("");
    expect(attachments).toEqual([{ kind: "image", unavailable: "sticker 🌱" }]);
  });

  it("takes a picture sent as a file as an image, other files as files", () => {
    const document = (mime_type: string) =>
      message({ document: { file_id: "f", file_name: "a.x", mime_type } }).attachments[0]?.kind;
    expect(document("image/png")).toBe("image");
    expect(document("image/svg+xml")).toBe("file");
    expect(document("application/pdf")).toBe("file");
  });

  it.each([
    ["venue", "Place: Seed Library, 1 Garden Row (52.52, 13.405)"],
    ["contact", "Contact: Grace Sample, +15550100"],
    ["poll", "Poll: Which day?\n- Friday\n- Sunday"],
  ])("writes out a %s, as nobody's own words", (name, shared) => {
    expect(fixtureMessage(name)).toMatchObject({ text: "", shared, forwarded: false });
  });

  it("writes out a location, which is numbers alone, as text", () => {
    const sent = message({ location: { latitude: 1.5, longitude: -2 } });
    expect(sent.text).toBe("Location: 1.5, -2");
    expect(sent.shared).toBeUndefined();
  });

  it("writes out a dice, a checklist and a game as nobody's own words", () => {
    const shared = (fields: object) => {
      const sent = message(fields);
      expect(sent.text).toBe("");
      return sent.shared;
    };
    expect(shared({ dice: { emoji: "🎲", value: 4 } })).toBe("Dice: 🎲 4");
    const checklist = { title: "Trip", tasks: [{ id: 1, text: "boots" }] };
    expect(shared({ checklist })).toBe("Checklist: Trip\n- boots");
    expect(shared({ game: { title: "Chess", description: "for two" } })).toBe(
      "Game: Chess, for two",
    );
  });

  it("writes out a block quotation as quoted lines, and reads names behind it where they are", () => {
    const text = "What is this?\nHi Ada\nI live here\nTell me @echobot now";
    const entities = [
      { type: "blockquote", offset: 14, length: 18 },
      { type: "text_link", offset: 33, length: 4, url: "https://a.example" },
    ];
    expect(message({ text, entities }).text).toBe(
      "What is this?\n> Hi Ada\n> I live here\n\n\nTell (https://a.example) me @echobot now",
    );
    const whole = [{ type: "expandable_blockquote", offset: 0, length: 6 }];
    expect(message({ text: "Hi Ada", entities: whole }).text).toBe("> Hi Ada");
    expect(
      message({
        caption: "x Hi",
        caption_entities: [{ ...whole[0], offset: 2 }],
        dice: { emoji: "🎲", value: 1 },
      }).text,
    ).toBe("x \n> Hi");
  });

  it("reads the words of a rich message", () => {
    expect(fixtureMessage("rich-message").text).toBe("Plan\nBuy seeds.\n1. Peas\na | b");
  });

  it("reads any value as a rich message without failing", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 5000; level += 1) deep = { text: deep };
    for (const value of [deep, null, 7, [[["a"]]], { blocks: "no list" }]) {
      expect(typeof richText(value)).toBe("string");
    }
  });
});
