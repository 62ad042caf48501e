import { mergeAlbum } from "./album.ts";
import { MAX_HOLD_MS } from "./hold.ts";
import { sameRoute, standsAlone, type QueueRow } from "./row.ts";

/**
 * Waiting messages, gathered into what is taken together: an album, a burst of texts that were sent
 * while the one before was still held, or a single message. Each knows when it may be taken. A unit
 * never waits behind a newer one of the same person in the same place: the newer one ends its hold.
 */
export interface QueueUnit<Row extends QueueRow> {
  readonly rows: readonly Row[];
  readonly readyAt: number;
}

interface Draft<Row extends QueueRow> {
  readonly rows: Row[];
  readyAt: number;
}

/** Units in the order of their first message. `rows` may come in any order. */
export function gatherUnits<Row extends QueueRow>(rows: readonly Row[]): QueueUnit<Row>[] {
  const units: Draft<Row>[] = [];
  const sorted = [...rows].sort((a, b) => a.seq - b.seq);
  for (const row of sorted) {
    const siblings = units.filter((unit) => samePerson(unit, row));
    const home = siblings.find((unit) => sameAlbum(unit, row)) ?? openBurst(siblings.at(-1), row);
    for (const other of siblings) {
      if (other !== home) other.readyAt = Math.min(other.readyAt, row.receivedAt);
    }
    if (home) join(home, row);
    else units.push({ rows: [row], readyAt: row.notBefore });
  }
  return units;
}

/** The messages a turn sees: an album is one, the texts of a burst stay what they were. */
export function unitMessages<Row extends QueueRow>(unit: QueueUnit<Row>): Row[] {
  return unit.rows[0]?.message.albumId === undefined ? [...unit.rows] : [mergeAlbum(unit.rows)];
}

function samePerson(unit: Draft<QueueRow>, row: QueueRow): boolean {
  const first = unit.rows[0]?.message;
  return (
    first !== undefined &&
    first.sender.id === row.message.sender.id &&
    sameRoute(first.route, row.message.route)
  );
}

function sameAlbum(unit: Draft<QueueRow>, row: QueueRow): boolean {
  const { albumId } = row.message;
  return albumId !== undefined && unit.rows[0]?.message.albumId === albumId;
}

/** The burst a message belongs to: the last unit, while it was still held when the message came. */
function openBurst<Row extends QueueRow>(
  unit: Draft<Row> | undefined,
  row: Row,
): Draft<Row> | undefined {
  const first = unit?.rows[0];
  if (!unit || !first || unit.readyAt <= row.receivedAt) return undefined;
  const isText = (candidate: Row) =>
    candidate.message.albumId === undefined && !standsAlone(candidate);
  return isText(first) && isText(row) ? unit : undefined;
}

/** The newest part says how long to wait on, up to the longest hold. */
function join<Row extends QueueRow>(unit: Draft<Row>, row: Row): void {
  const since = unit.rows[0]?.receivedAt ?? row.receivedAt;
  unit.rows.push(row);
  const album = row.message.albumId !== undefined;
  const wanted = album ? Math.max(unit.readyAt, row.notBefore) : row.notBefore;
  unit.readyAt = Math.min(wanted, since + MAX_HOLD_MS);
}
