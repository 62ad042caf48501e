import { providerSuite } from "#test/contract/provider-suite.ts";
import { startOpenAi } from "./rig.ts";

/** The conformance suite over both of OpenAI's APIs. */
providerSuite({ name: "openai (chat)", start: () => startOpenAi("chat") });
providerSuite({ name: "openai (responses)", start: () => startOpenAi("responses") });
