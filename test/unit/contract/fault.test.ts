import { expect, test } from "vitest";
import { faultText } from "#contract/fault.ts";

test("a connection that failed is not called a time-out", () => {
  const slow = faultText({ reason: "timeout", message: "" }, "acme/x");
  expect(slow).toContain("did not answer in time");
  const away = faultText({ reason: "timeout", message: "", connection: true }, "acme/x");
  expect(away).toContain("acme/x could not be reached");
  expect(away).not.toContain("in time");
});

test("a model that was not reached is told with the address, and not said to have failed", () => {
  const unreached = "http://127.0.0.1:9";
  const text = faultText({ reason: "timeout", message: "", connection: true, unreached }, "acme/x");
  expect(text).toContain("acme/x was not reached");
  expect(text).toContain(unreached);
  expect(text).not.toContain("broke off");
});

test("a refused key is named by its variable, with the places where that is set", () => {
  const text = faultText({ reason: "auth", message: "", variable: "ACME_API_KEY" }, "acme/x");
  expect(text).toContain("acme/x does not accept the key in ACME_API_KEY");
  expect(text).toContain(".dev.vars");
  expect(text).toContain("wrangler secret put ACME_API_KEY");
  const keyless = faultText({ reason: "auth", message: "" }, "acme/x");
  expect(keyless).toContain("does not accept the configured key");
  expect(keyless).not.toContain("undefined");
});
