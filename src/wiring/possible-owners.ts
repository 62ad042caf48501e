import type { ChannelExtension } from "#contract/channel.ts";
import type { ConfigProblem, Owner } from "#contract/runtime-config.ts";
import { nearest } from "#kit/nearest.ts";

/**
 * Owners that nobody can ever be: of a channel that does not exist, or with an id that its channel never
 * gives. They open no door; they are told because whoever wrote them believes to be one.
 */
export interface OwnerCheck {
  readonly possible: readonly Owner[];
  readonly problems: readonly ConfigProblem[];
}

/** Characters of an entry that are repeated to whoever wrote it. */
const SHOWN = 80;

type KnownChannel = Pick<ChannelExtension, "id" | "personIds">;

export function checkOwners(
  owners: readonly Owner[],
  channels: readonly KnownChannel[],
): OwnerCheck {
  const checked = owners.map((owner) => ({ owner, fault: faultOf(owner, channels) }));
  return {
    possible: checked.flatMap(({ owner, fault }) => (fault === undefined ? [owner] : [])),
    problems: checked.flatMap(({ fault }) =>
      fault === undefined ? [] : [{ severity: "error" as const, path: "OWNERS", message: fault }],
    ),
  };
}

function faultOf({ channel, id }: Owner, channels: readonly KnownChannel[]): string | undefined {
  const entry = `"${`${channel}:${id}`.slice(0, SHOWN)}"`;
  const known = channels.find((each) => each.id === channel);
  if (!known) {
    const meant = nearest(
      channel,
      channels.map((each) => each.id),
    );
    const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
    return `${entry} makes nobody an owner: there is no such channel${hint}`;
  }
  const { personIds } = known;
  if (!personIds || personIds.form.test(id)) return undefined;
  return `${entry} makes nobody an owner: ${personIds.description}`;
}
