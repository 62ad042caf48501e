import { afterEach, beforeEach, describe } from "vitest";
import type { ProviderRig, ProviderSuite } from "./provider-rig.ts";
import { answerTests } from "./provider-suite-answers.ts";
import { failureTests } from "./provider-suite-failures.ts";
import { lawTests } from "./provider-suite-laws.ts";
import { requestTests } from "./provider-suite-requests.ts";

/**
 * What every model provider must do, whatever its protocol: one suite, run by each provider against a
 * double that speaks it. What a provider cannot do is named in `without`. Details of a protocol belong
 * into the provider's own tests.
 */
/** Declares the suite's tests. Call it at the top level of a test file. */
export function providerSuite(suite: ProviderSuite): void {
  describe(`${suite.name}: provider contract`, () => {
    let rig: ProviderRig;
    beforeEach(async () => {
      rig = await suite.start();
    });
    afterEach(async () => {
      await rig.stop();
    });
    const current = () => rig;
    const has = (feature: NonNullable<ProviderSuite["without"]>[number]) =>
      !(suite.without ?? []).includes(feature);
    lawTests(has, current);
    if (!has("script")) return;
    answerTests(has, current);
    requestTests(has, current);
    failureTests(has, current);
  });
}
