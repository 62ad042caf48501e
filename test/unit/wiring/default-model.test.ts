import { describe, expect, test } from "vitest";
import { ports, providerExtension, registry } from "./plugged.ts";

/** Which model answers when nobody has asked for one. */
const ai = { run: () => Promise.resolve({}) };

describe("the default model", () => {
  const model = (made: ReturnType<typeof registry>, name?: string) => {
    const resolved = made.resolveModel(name);
    return resolved.ok ? resolved.value.name : `! ${resolved.error}`;
  };
  const bound = { deployed: true, ports: { ...ports, ai } };

  test.each([
    ["the first provider that has a key", { OPENAI_API_KEY: "k" }, bound, "openai/gpt-5-mini"],
    [
      "the first of two",
      { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
      {},
      "anthropic/claude-opus-4",
    ],
    ["Workers AI when deployed", {}, bound, "workers-ai/@cf/meta/llama-4"],
    ["the embedded one when local", {}, { ports: { ...ports, ai } }, "demo/demo"],
    ["the embedded one without a binding", {}, { deployed: true }, "demo/demo"],
    [
      "what MODEL says",
      { MODEL: "openai/gpt-9", OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
      bound,
      "openai/gpt-9",
    ],
  ])("is %s", (_what, env, change, expected) => {
    expect(model(registry(env, change))).toBe(expected);
  });

  test.each([
    ["when local", { ports: { ...ports, ai } }, "Workers AI only works when deployed"],
    ["without a binding", { deployed: true }, "wrangler.toml has no [ai] binding"],
  ])("is never Workers AI %s, nor is it offered", (_when, change, note) => {
    const made = registry({ MODEL: "workers-ai/@cf/meta/llama-4" }, change);
    expect(model(made)).toBe(`! workers-ai is not set up: ${note}.`);
    expect(made.models.list()).toContainEqual({ name: "workers-ai", usable: false, note });
    expect(made.providers()).toContainEqual({
      id: "workers-ai",
      state: "not-configured",
      missing: [],
      note,
    });
  });

  test.each([
    ["the first that needs no key", { first: "", last: "" }, {}, "first/m"],
    ["the next one, where the first cannot work", { first: "no way", last: "" }, {}, "last/m"],
    ["one that has a key before any that needs none", { first: "" }, { K_API_KEY: "k" }, "k/m"],
    ["nothing, where none can work", { first: "no way" }, {}, "! No provider of models is set up."],
  ])("is %s", (_what, keyless: Record<string, string>, env, expected) => {
    const extensions = Object.entries(keyless).map(([id, note]) => ({
      ...providerExtension(id, ["m"], false),
      obstacle: () => (note === "" ? undefined : note),
    }));
    const all = [...extensions, providerExtension("k", ["m"])];
    expect(model(registry(env, { extensions: all }))).toBe(expected);
  });

  test("is never one that has a key but cannot work here, and says why", () => {
    const keyed = { ...providerExtension("k", ["m"]), obstacle: () => "it rains" };
    const extensions = [keyed, providerExtension("other", ["m"], false)];
    const made = registry({ K_API_KEY: "k" }, { extensions });
    expect(model(made)).toBe("other/m");
    expect(model(made, "k/m")).toBe("! k is not set up: it rains.");
  });

  test("that is set but cannot be used is an error, not another model", () => {
    expect(model(registry({ MODEL: "anthropic/claude-opus-4", OPENAI_API_KEY: "k" }))).toBe(
      "! anthropic is not set up: set ANTHROPIC_API_KEY (in .dev.vars, and start again; deployed: npx wrangler secret put ANTHROPIC_API_KEY).",
    );
  });
});
