import type { JsonObject } from "#contract/json.ts";

/**
 * The mark a delivery leaves on its message (Slack's message metadata: invisible to people, readable
 * through history), so that a send whose answer was lost can be found again. See reconcile.ts.
 */
const eventType = "pagurus_delivery";

export function deliveryMetadata(deliveryId: string): JsonObject {
  return { event_type: eventType, event_payload: { id: deliveryId } };
}

/** The delivery id on a message, or undefined. Takes whatever history holds. */
export function markedDelivery(metadata: unknown): string | undefined {
  if (typeof metadata !== "object" || metadata === null) return undefined;
  if (Reflect.get(metadata, "event_type") !== eventType) return undefined;
  const payload: unknown = Reflect.get(metadata, "event_payload");
  if (typeof payload !== "object" || payload === null) return undefined;
  const id: unknown = Reflect.get(payload, "id");
  return typeof id === "string" ? id : undefined;
}
