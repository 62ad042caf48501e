import { app } from "#app/http.ts";
import { sweepAgents } from "#app/cron.ts";

export { AgentDO } from "#do/agent.ts";
export { SessionDO } from "#do/session.ts";

/** The Worker: HTTP to src/app, the clock to src/app/cron.ts. Nothing else lives here. */
export default {
  fetch: app.fetch,
  scheduled: (_controller, env, context) => {
    context.waitUntil(sweepAgents(env));
  },
} satisfies ExportedHandler<Env>;
