import { Hono } from "hono";
import { commandTable } from "#core/routing/command.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { operatorOnly } from "./guards.ts";
import type { AppEnv } from "./http.ts";

/**
 * POST /setup — registers webhooks and command menus at the platforms, checks the tokens, and reports
 * line by line. May be repeated. The public origin is the one this request came to.
 */
export const setupRoutes = new Hono<AppEnv>();

setupRoutes.post("/setup", operatorOnly, async (context) => {
  const { registry, log } = loadRuntime(context.env);
  const { origin } = new URL(context.req.url);
  const commands = commandTable.map(({ name, description }) => ({ name, description }));
  const reports = await Promise.all(
    registry.channels().map(async ({ id, account, state, missing }) => {
      const channel = registry.channel(id, account);
      if (!channel) {
        const why = missing.length > 0 ? `set ${missing.join(" and ")}` : state;
        // What nobody began is nobody's fault.
        const ok = state === "not-configured" || state === "off";
        return { channel: id, account, ok, lines: [`not set up: ${why}`] };
      }
      if (!channel.setup) return { channel: id, account, ok: true, lines: ["nothing to set up"] };
      const report = await channel.setup({ origin, commands });
      const unsaid = missing.filter((name) => !report.lines.join().includes(name));
      const lines = [
        ...unsaid.map((name) => `set ${name}; nothing comes in without`),
        ...report.lines,
      ];
      return { channel: id, account, ok: report.ok && state === "ready", lines };
    }),
  );
  const ok = reports.every((report) => report.ok);
  log.info("setup.done", { ok, origin });
  return context.json({ ok, model: modelLine(context.env), channels: reports }, ok ? 200 : 502);
});

function modelLine(env: Env): string {
  const model = loadRuntime(env).registry.resolveModel();
  return model.ok ? model.value.name : model.error;
}
