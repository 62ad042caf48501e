// Runs before every bundle (see [build] in wrangler.toml) and after install. Writes the one fact that
// nothing can tell at run time: whether this bundle is for Cloudflare or for this machine. Touches
// neither network nor any other file, since it also runs for a dry run.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

// The test harness takes its bundle from a dry run of deploy, but runs it here.
const local = process.env.PAGURUS_BUNDLE === "local";
const deployed = process.env.WRANGLER_COMMAND === "deploy" && !local;
const text = `/** Written by tools/build-info.mjs; not in version control. */\nexport const deployed: boolean = ${deployed};\n`;
const path = new URL("../build/info.ts", import.meta.url);
mkdirSync(new URL(".", path), { recursive: true });

let present = "";
try {
  present = readFileSync(path, "utf8");
} catch {
  // The first run.
}
if (present !== text) writeFileSync(path, text);
