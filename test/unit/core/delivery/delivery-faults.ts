import type { OutboxRow } from "#contract/outbox.ts";
import { isAnswer, settled } from "#core/delivery/outbox.ts";
import type { DeliveryWorld } from "./delivery-world.ts";

/** What is wrong in the end. */
export function faults(world: DeliveryWorld): string[] {
  return [
    ...world.complaints,
    ...world.rows.flatMap((row) => rowFaults(world, row)),
    ...untold(world.rows),
  ];
}

function rowFaults({ arrived }: DeliveryWorld, row: OutboxRow): string[] {
  const { key, status, mode, attempts, error } = row;
  const times = arrived.filter((each) => each === key).length;
  // Only the word that something may be missing is worth saying twice, and it is stored why.
  const doubted = key.startsWith("lost:") && attempts > 0 && error !== null;
  const wrong: Readonly<Record<string, boolean>> = {
    [`is still ${status}`]: !settled([row]),
    [`arrived ${times} times`]: times > (doubted ? 2 : 1),
    "did not arrive, and is sent": status === "sent" && mode === "send" && times === 0,
    "arrived, and is failed": status === "failed" && times > 0 && !doubted,
    [`is ${status} for no reason`]: status !== "sent" && error === null,
  };
  return Object.keys(wrong).flatMap((fault) => (wrong[fault] ? [`${key} ${fault}`] : []));
}

/** Of each answer the newest doubt must have been told of. */
function untold(rows: readonly OutboxRow[]): string[] {
  const newest = new Map<string, OutboxRow>();
  for (const row of rows.filter(isAnswer)) {
    if (row.status !== "sent") newest.set(row.turnId ?? row.key.replace(/\d+$/, ""), row);
  }
  return [...newest.values()]
    .filter(({ seq }) => !rows.some(({ key }) => key === `lost:${seq}:0`))
    .map(({ key }) => `nobody is told of ${key}`);
}
