import { demo } from "#ext/demo/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { providerSuite } from "#test/contract/provider-suite.ts";

/** The laws of a stream, which the demo keeps like any provider; it takes no script. */
providerSuite({
  name: "demo",
  without: ["script"],
  start: () =>
    Promise.resolve({
      provider: demo.create({}, testPorts()),
      model: "demo",
      secrets: [],
      play: () => {},
      calls: () => [],
      refusals: () => [],
      stop: () => Promise.resolve(),
    }),
});
