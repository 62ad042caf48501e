import type { CompareRound, DirtyPaths } from "#contract/memory-index.ts";

/** What has changed, in memory. */
export class DirtyPathsDouble implements DirtyPaths {
  readonly paths = new Set<string>();
  #round: CompareRound | null = null;
  all(): string[] {
    return [...this.paths];
  }
  add(paths: readonly string[]): void {
    for (const path of paths) this.paths.add(path);
  }
  remove(path: string): void {
    this.paths.delete(path);
  }
  round(): CompareRound | null {
    return this.#round;
  }
  keepRound(round: CompareRound | null): void {
    this.#round = round;
  }
}
