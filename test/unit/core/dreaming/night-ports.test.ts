import { expect, test } from "vitest";
import { Chat } from "#test/doubles/whole-memory-chat.ts";
import { WholeMemory } from "#test/doubles/whole-memory.ts";

test("a night is done and remembered also where its reports have no room any more", async () => {
  const memory = new WholeMemory();
  const chat = new Chat(memory);
  await memory.bootstrap();
  // As after years of nights.
  const full = "x".repeat(1_048_570);
  memory.editOutside("DREAMS.md", () => full);
  memory.time += 60_000;
  await chat.say({ text: "remember that the insurance number is 77-1234" });
  memory.time += 12 * 3_600_000;

  const { changed, summary } = await memory.night();

  expect(changed).toBe(true);
  expect(summary).toBe("Changed MEMORY.md: 1 added (by rule, without a model).");
  expect(memory.dreams.record().settled.length).toBeGreaterThan(0);
  expect(memory.text("DREAMS.md")).toBe(full);
  expect(memory.text(`memory/dreaming/dreams/${memory.today()}.md`)).toMatch(
    /### Added\n\n- .*77-1234/,
  );
});
