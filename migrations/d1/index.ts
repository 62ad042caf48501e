import initial from "./0000_initial.sql";
import origin from "./0001_origin.sql";
import memory from "./0002_memory.sql";
import memoryWords from "./0003_memory_words.sql";

/** The migrations of D1, oldest first. drizzle-kit writes the files, this list is kept by hand. */
export const d1Migrations = [
  { name: "0000_initial.sql", sql: initial },
  { name: "0001_origin.sql", sql: origin },
  { name: "0002_memory.sql", sql: memory },
  { name: "0003_memory_words.sql", sql: memoryWords },
];
