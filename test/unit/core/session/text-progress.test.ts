import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "#contract/turn.ts";
import { createTextProgress } from "#core/session/text-progress.ts";

const delta = (text: string): TurnEvent => ({ type: "text-delta", text });
const end = (text: string): TurnEvent => ({ type: "text-end", text });
const restart: TurnEvent = { type: "restart" };
const ended = (text: string): TurnEvent => ({
  type: "ended",
  turnId: "t",
  status: "done",
  text,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  reason: "end",
});

function shown(events: readonly TurnEvent[]): string {
  const progress = createTextProgress();
  return events.map((event) => progress.push(event)).join("");
}

describe("createTextProgress", () => {
  it("shows deltas once, and nothing more at the end", () => {
    expect(shown([delta("po"), delta("ng"), end("pong"), ended("pong")])).toBe("pong");
  });

  // B36 (b): the first try breaks off after "po".
  it("continues where a second try says the same words", () => {
    expect(shown([delta("po"), restart, delta("p"), delta("ong"), end("pong")])).toBe("pong");
  });

  it("begins anew on its own line where a second try differs", () => {
    expect(shown([delta("po"), restart, delta("hello"), end("hello"), ended("hello")])).toBe(
      "po\n\nhello",
    );
  });

  it("shows an answer that came without deltas", () => {
    expect(shown([end("pong"), ended("pong")])).toBe("pong");
    expect(shown([ended("pong")])).toBe("pong");
  });

  it("separates what was said before a tool from what is said after it", () => {
    expect(
      shown([delta("Let me look."), end("Let me look."), end("Found."), ended("Found.")]),
    ).toBe("Let me look.\n\nFound.");
  });

  it("adds only what the end of the turn adds to its last answer", () => {
    const cut = "pong\n\n_(cut)_";
    expect(shown([delta("po"), delta("ng"), end("pong"), ended(cut)])).toBe(cut);
    expect(shown([end("Let me look."), end("pong"), ended(cut)])).toBe(`Let me look.\n\n${cut}`);
    expect(shown([end("pong"), ended("I stopped.")])).toBe("pong\n\nI stopped.");
  });

  it("adds nothing when the turn ends in silence", () => {
    expect(shown([ended("")])).toBe("");
  });

  it("never shows a text twice, however its tries are cut", () => {
    const text = fc.string({ minLength: 1, maxLength: 60 });
    const cuts = fc.array(fc.nat(60), { maxLength: 5 });
    fc.assert(
      fc.property(text, cuts, (answer, tries) => {
        const events = tries.flatMap((cut) => {
          const part = answer.slice(0, cut);
          return part === "" ? [restart] : [delta(part), restart];
        });
        expect(shown([...events, end(answer), ended(answer)])).toBe(answer);
      }),
    );
  });
});
