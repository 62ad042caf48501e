import fc from "fast-check";
import { expect, test } from "vitest";
import { projectKey, projectOfPath, useProject } from "#kit/project-key.ts";

test.each([
  "git@Example.test:ada/shop.git",
  "https://example.test/ada/shop/",
  "https://user:word@example.test/ada/shop.git?x=1#top",
  "ssh://git@example.test/ada/shop.git",
  "www.example.test/ada/shop",
  "example.test/ada/shop",
])("%s is the same project in every spelling", (text) => {
  expect(projectKey(text)).toEqual({ ok: true, value: "example.test/ada/shop" });
});

test("a folder's name is a key, what could lead elsewhere is none", () => {
  expect(projectKey("projects/Shop/")).toEqual({ ok: true, value: "shop" });
  expect(projectKey("日記")).toEqual({ ok: true, value: "日記" });
  for (const bad of ["", " ", "..", "../x", "a b", "a/../b", "/etc", "-x"]) {
    expect(projectKey(bad).ok, bad).toBe(false);
  }
});

test("a key is its own key", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const key = projectKey(text);
      if (key.ok) expect(projectKey(key.value)).toEqual(key);
    }),
  );
});

test("four are active at most: the one not used for longest gives way", () => {
  const active = ["a", "b", "c", "d", "a", "e"].reduce(useProject, [] as string[]);
  expect(active).toEqual(["e", "a", "d", "c"]);
});

test("a path below projects/ belongs to a project", () => {
  expect(projectOfPath("projects/Shop/notes.md")).toBe("shop");
  expect(projectOfPath("projects/notes.md")).toBeNull();
  expect(projectOfPath("memory/2026-05-03.md")).toBeNull();
});
