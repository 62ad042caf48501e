import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

/** A developer's `.dev.vars` and `.env` stand beside wrangler.toml; what is in them is not for tests. */
test("the Worker under test has the settings of the tests, and no others", () => {
  const names = Object.keys(env).filter((name) => !name.startsWith("__VITEST"));
  expect(names.toSorted()).toEqual([
    "AGENT",
    "AI",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "ASSETS",
    "DB",
    "FILES",
    "GATEWAY_TOKEN",
    "MODEL",
    "SESSION",
    "TIMEZONE",
  ]);
});
