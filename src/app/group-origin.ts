import type { Channel } from "#contract/channel.ts";
import { channelConfig } from "#contract/config.ts";
import type { ParsedMessage } from "#contract/message.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { routeMessage, type Routing } from "#core/routing/route.ts";
import { describeError } from "#kit/redact.ts";
import { originsOf } from "#wiring/origins.ts";
import type { Runtime } from "#wiring/runtime.ts";

export interface Routed {
  readonly routing: Routing;
  /** The id its group had before it moved. */
  readonly formerly?: string;
}

/**
 * Where a message goes. In a group that may have moved, access, agent and conversation go by the id it
 * began under; for the first message that is let in this is decided here. An error: it could not be told,
 * and the platform must deliver the message again, or it might be answered elsewhere than the next one.
 */
export async function routeToOrigin(
  env: Env,
  runtime: Runtime["runtime"],
  channel: Channel,
  message: ParsedMessage,
): Promise<Result<Routed, string>> {
  const { caseSensitiveIds, groupsMove } = channel.capabilities;
  const { route } = message;
  const asItIs = routeMessage(message, { runtime, caseSensitiveIds });
  if (!groupsMove || route.kind !== "group") return ok({ routing: asItIs });
  const { allow } = channelConfig(runtime.config, route.channel).groups;
  // Whatever its id was, it is not let in.
  if (!asItIs.admit && allow.length === 0) return ok({ routing: asItIs });
  try {
    const origins = originsOf(env);
    const found = await origins.find(route);
    // Who is not let in is not decided upon: the news of a move may still come.
    if (found === null && !asItIs.admit) return ok({ routing: asItIs });
    const origin = found ?? (await origins.decide(route, route.conversation));
    if (origin === route.conversation) return ok({ routing: asItIs });
    const context = { runtime, caseSensitiveIds, formerly: origin };
    return ok({ routing: routeMessage(message, context), formerly: origin });
  } catch (error) {
    return err(describeError(error));
  }
}
