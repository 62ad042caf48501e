import { bundleWorker } from "./bundle.ts";

/**
 * Before the first of the tests that need the Worker: builds it, so that their processes do not all do so
 * at once. Whatever is wrong with the build, they say it themselves.
 */
export default async function buildOnce(): Promise<void> {
  await bundleWorker().catch(() => undefined);
}
