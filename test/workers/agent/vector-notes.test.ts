import { expect, test } from "vitest";
import { createAgentSettings } from "#platform/agent/settings.ts";
import { createVectorNotes } from "#platform/agent/vector-notes.ts";
import { insideAgent } from "./agent-database.ts";

test("notes of a vector store last, apart from those of others and from settings", async () => {
  await insideAgent(({ database }) => {
    createAgentSettings(database).set("vectors", "x");
    createAgentSettings(database).set("vectors/clean", "x");
    const clean = createVectorNotes(database, "clean");
    createVectorNotes(database, "clean2").set(1, "other");
    createVectorNotes(database, "outside").set(1, "other");
    clean.set(1, "one");
    clean.set(-20, "two");
    clean.set(1, "one again");
    clean.set(3, "gone");
    clean.remove(3);
    clean.remove(4);
    expect(createVectorNotes(database, "clean").all()).toEqual(
      new Map([
        [1, "one again"],
        [-20, "two"],
      ]),
    );
  });
});
