import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Lets a bench import the product's pure code in Node, as the tests do: stands in for wrangler's Text
 * rule. To be imported before everything that needs it, which is then imported with `await import`.
 */
registerHooks({
  load(url, context, nextLoad) {
    if (!/\.(?:md|sql)$/.test(url)) return nextLoad(url, context);
    const text = readFileSync(fileURLToPath(url), "utf8");
    return {
      format: "module",
      source: `export default ${JSON.stringify(text)};`,
      shortCircuit: true,
    };
  },
});
