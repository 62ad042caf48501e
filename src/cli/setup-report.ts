import { z } from "zod";
import type { Readiness } from "./readiness.ts";

/**
 * The answer of POST /setup as text for a terminal. Pure; the marks say it without colour too: done,
 * not possible, not asked for.
 */
export const setupReportSchema = z.object({
  ok: z.boolean(),
  /** `provider/model`, or the sentence why there is none. */
  model: z.string(),
  channels: z.array(
    z.object({
      channel: z.string(),
      account: z.string(),
      ok: z.boolean(),
      lines: z.array(z.string()),
    }),
  ),
});
export type SetupReport = z.infer<typeof setupReportSchema>;

export function reportText({ model, channels }: SetupReport, readiness: Readiness): string {
  const rows = channels
    .filter(({ channel }) => channel !== "api")
    .flatMap(({ channel, account, ok, lines }) => {
      const name = account === "default" ? channel : `${channel} (${account})`;
      const slot = readiness.channels.find(
        (each) => each.id === channel && each.account === account,
      );
      const done = slot?.state === "ready" ? "✓" : "–";
      const mark = ok ? done : "✗";
      return lines.map((line, index) => `${index === 0 ? `${mark} ${name}: ` : "    "}${line}`);
    });
  return [`model: ${model}`, ...rows].map((row) => `  ${row}\n`).join("");
}
