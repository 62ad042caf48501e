import { createMediaStore, type R2MediaStore } from "#platform/r2/media-store.ts";

/** Files of messages, for those who hold only an Env. */
export function mediaStore(env: Env): R2MediaStore {
  return createMediaStore(env.FILES);
}
