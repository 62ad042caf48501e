import { sessionStoreSuite } from "#test/contract/session-store-suite.ts";
import { WholeSessionStore } from "#test/doubles/session-rows.ts";
import { MemorySessionStore } from "#test/doubles/session-store.ts";

/** What tests of delivery stand on. */
sessionStoreSuite({
  name: "in memory",
  with: async (now, act) => act(new MemorySessionStore(now)),
});

sessionStoreSuite({
  name: "in memory, as a whole",
  with: async (now, act) => act(new WholeSessionStore(now)),
});
