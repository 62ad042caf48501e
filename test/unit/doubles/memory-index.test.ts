import { memoryIndexSuite } from "#test/contract/memory-index-suite.ts";
import { MemoryIndexDouble } from "#test/doubles/memory-index.ts";

memoryIndexSuite({
  name: "in memory",
  with: (act) => act(new MemoryIndexDouble(), new MemoryIndexDouble()),
});
