import { estimateTokens } from "#kit/tokens.ts";
import { progress, report } from "./rig/figure.ts";
import { Stage } from "./rig/stage.ts";

/**
 * The size of the first request of a new installation: somebody says hello, the model is given the
 * system prompt with the default workspace files, the owner's tools and that one word. Tokens are
 * estimated over the whole body as it arrived, JSON and all, as the product itself estimates them.
 */
const stage = await Stage.open({ topics: 1, showRequests: true });
try {
  progress("saying hello");
  await stage.product.turn(stage.newTopic(), "hello");
  const [request = ""] = stage.doubles.requests;
  report({
    figure: "hello.request",
    value: Buffer.byteLength(request),
    unit: "bytes",
    n: 1,
    note: "Chat Completions, an owner in a direct topic",
  });
  report({
    figure: "hello.tokens",
    value: estimateTokens(request),
    unit: "tokens",
    n: 1,
    atMost: 4_500,
    note: "estimated over the whole body",
  });
} finally {
  await stage.close();
}
