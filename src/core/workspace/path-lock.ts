/**
 * One piece of work on a path after another, in the order in which they came: what decides over a file by
 * what is known of it must not have another one change that in between. Held in memory, like the object
 * whose work it is.
 */
export interface PathLock {
  hold<T>(path: string, work: () => Promise<T>): Promise<T>;
}

export function createPathLock(): PathLock {
  const last = new Map<string, Promise<unknown>>();
  return {
    async hold(path, work) {
      const own = (last.get(path) ?? Promise.resolve()).then(work, work);
      last.set(path, own);
      try {
        return await own;
      } finally {
        if (last.get(path) === own) last.delete(path);
      }
    },
  };
}
