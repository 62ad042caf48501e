import type { TurnForgetting } from "#contract/tool.ts";
import { memoryIdentity } from "#core/agent/memory-access.ts";
import { forgetProgressText, forgetQuestionText } from "#core/memory/forget-report.ts";
import { forgetId } from "#core/memory/forget-store.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import type { Run } from "./run.ts";

/** Forgetting for one call: found under its operation id, and done once under it. */
export function turnForgetting({ ports, turn }: Run, operationId: string): TurnForgetting {
  const { upkeep } = ports.agent;
  return {
    async question(text) {
      const identity = memoryIdentity(memoryRules(ports, turn.detail.route), turn.detail);
      const offer = await upkeep.offer({ text, identity, key: operationId });
      return offer.facts.length === 0 ? null : forgetQuestionText(offer);
    },
    async confirm() {
      const id = forgetId(operationId);
      return forgetProgressText(await upkeep.forget({ id, sessionKey: ports.key }));
    },
  };
}
