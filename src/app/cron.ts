import { agentIds } from "#core/config/agents.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { agentStub } from "#wiring/stubs.ts";
import { describeError } from "#kit/redact.ts";

/** The sweeper: each agent wakes those of its sessions that had work, in case an alarm was lost. */
export async function sweepAgents(env: Env): Promise<void> {
  const { runtime, log } = loadRuntime(env);
  const { config } = runtime;
  // A binding may name an agent that the list has not (yet).
  const ids = new Set([...agentIds(config), ...config.bindings.map((binding) => binding.agent)]);
  for (const id of ids) {
    try {
      const report = await agentStub(env, id).sweep();
      log.info("sweep.done", { agent: id, woken: report.woken });
    } catch (error) {
      log.error("sweep.failed", { agent: id, error: describeError(error) });
    }
  }
}
