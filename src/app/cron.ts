import { loadRuntime } from "#wiring/runtime.ts";
import { agentStub } from "#wiring/stubs.ts";
import { describeError } from "#kit/redact.ts";

/** The sweeper: each agent wakes those of its sessions that had work, in case an alarm was lost. */
export async function sweepAgents(env: Env): Promise<void> {
  const { runtime, log } = loadRuntime(env);
  const { agents, bindings } = runtime.config;
  const ids = new Set([
    agents.default,
    ...agents.list.map((agent) => agent.id),
    ...bindings.map((binding) => binding.agent),
  ]);
  for (const id of ids) {
    try {
      const report = await agentStub(env, id).sweep();
      log.info("sweep.done", { agent: id, woken: report.woken });
    } catch (error) {
      log.error("sweep.failed", { agent: id, error: describeError(error) });
    }
  }
}
