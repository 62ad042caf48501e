import { afterEach, beforeEach, describe } from "vitest";
import { inboundTests } from "./channel-suite-inbound.ts";
import { outboundTests } from "./channel-suite-outbound.ts";
import { editTests, secrecyTests } from "./channel-suite-edit.ts";
import { type ChannelSuite, type Rig, testPorts } from "./channel-rig.ts";

/**
 * What every channel must do, whatever its platform: one suite, run by each channel against a double
 * that speaks the platform's protocol. Platform details (mark-up, threads, fallbacks) belong into the
 * channel's own tests. A channel without an optional member skips the tests of that member, and one without
 * a platform (no double) those of what a platform answers. Call it at the top level of a test file.
 */
export function channelSuite(suite: ChannelSuite): void {
  describe(`${suite.name}: channel contract`, () => {
    let rig: Rig;
    beforeEach(async () => {
      const double = suite.double?.();
      const apiRoot = (await double?.start()) ?? "";
      const logs: string[] = [];
      const ports = testPorts(logs);
      const channel = suite.create({ apiRoot, signingSecret: suite.signingSecret, ports });
      rig = {
        channel,
        logs,
        apiRoot,
        get double() {
          if (!double) throw new Error(`${suite.name} has no platform`);
          return double;
        },
      };
    });
    afterEach(async () => {
      if (suite.double) await rig.double.stop();
    });
    const current = () => rig;
    inboundTests(suite, current);
    outboundTests(suite, current);
    editTests(suite, current);
    secrecyTests(suite, current);
  });
}
