import { expect, test } from "vitest";
import { groupCandidates } from "#core/dreaming/dedupe.ts";
import { echoes, sayingOf } from "#core/dreaming/echo.ts";
import { cleanEvidence } from "#core/dreaming/evidence.ts";
import { chat, dream, dreamer, line, memoryOf, recalls, today } from "./world.ts";

const said = "My sister Eva lives in Bergen and builds violins";
const transcript = `sessions/x/${today}.md`;
const answer = (text: string, day = today) =>
  line(text, { trust: "agent", path: `sessions/x/${day}.md`, session: chat, day, at: 9e12 });

test.each([
  ["I have read it: My sister Eva lives in Bergen and builds violins", true],
  ["Noted: your sister Eva lives in Bergen and builds violins.", true],
  ["Your sister Eva does not live in Bergen and builds violins", false],
  ["Your sister Eva lives in Bergen", false],
  ["Your sister Eva lives in Bergen and builds 3 violins", false],
  ["Eva builds violins in Bergen, your sister lives", false],
  [
    "Your sister Eva lives in Bergen and builds violins, cellos, harps, lutes, drums, flutes, horns and organs",
    false,
  ],
])("%j says again what was told: %j", (text, expected) => {
  expect(echoes(sayingOf(text), sayingOf(said))).toBe(expected);
});

test("what found the agent's echo of the owner's words has found the owner's words", () => {
  const own = line(said, { path: transcript });
  const echo = answer(`I have read it: ${said}`);
  const evidence = { lines: [own, echo], recalls: [...recalls(own, 1), ...recalls(echo, 4)] };
  const [candidate, ...rest] = groupCandidates(cleanEvidence(evidence));
  expect(rest).toEqual([]);
  expect(candidate).toMatchObject({ text: said, trust: "owner" });
  expect(candidate?.recalls).toHaveLength(4);
  expect(candidate?.mentions).toHaveLength(1);
  const who = dreamer();
  dream(who, evidence);
  expect(memoryOf(who).match(/^- .*violins/gm)).toHaveLength(1);
  expect(memoryOf(who)).not.toContain("I have read it");
});

test("an echo of an entry is not added beside it on a later night", () => {
  const who = dreamer();
  dream(who, { lines: [line(`remember that ${said}`)], recalls: [] });
  const before = memoryOf(who);
  const echo = answer(`I have read it: ${said}`, "2026-05-11");
  const news = [line("The barn of the mill has a red door", { day: "2026-05-11" })];
  dream(who, { lines: [echo, ...news], recalls: recalls(echo, 5) }, { day: "2026-05-11" });
  expect(memoryOf(who)).toBe(before);
});

test("an answer from what was true once does not bring it back after it changed", () => {
  const who = dreamer();
  const old = line("remember that I live in Lyon by the river Saone", { day: today });
  dream(who, { lines: [old], recalls: [] });
  const moved = line("I moved to Porto by the river Douro", { day: "2026-05-11" });
  dream(who, { lines: [old, moved], recalls: [] }, { day: "2026-05-11" });
  const stale = answer("You live in Lyon by the river Saone, as I know", "2026-05-12");
  const signals = [...recalls(old, 5), ...recalls(stale, 5)];
  dream(who, { lines: [old, moved, stale], recalls: signals }, { day: "2026-05-12" });
  expect(memoryOf(who)).toContain("Porto");
  expect(memoryOf(who)).not.toContain("Lyon");
});
