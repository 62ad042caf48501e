import { providerSuite } from "#test/contract/provider-suite.ts";
import { startAnthropic } from "./rig.ts";

/** The conformance suite over Anthropic's protocol. */
providerSuite({ name: "anthropic", start: () => startAnthropic() });
