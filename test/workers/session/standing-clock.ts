import { afterEach, vi } from "vitest";

/** What sets the clock of a test and lets it stand there; the next test of the file has the real one. */
export function standingClock(): (time: number) => void {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return (time) => {
    vi.spyOn(Date, "now").mockReturnValue(time);
  };
}
