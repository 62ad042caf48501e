import type { Turn } from "#contract/turn.ts";
import { channelConfig } from "#contract/config.ts";
import { createPreviewFilter, type PreviewFilter } from "#kit/egress.ts";
import { postPreview } from "#core/delivery/preview-post.ts";
import { withSendContext } from "#core/delivery/send-context.ts";
import { claimEffect } from "#core/state/fence.ts";
import type { Run } from "./run.ts";
import { describeError } from "#kit/redact.ts";

/**
 * Shows an answer while it is being written: a draft that vanishes by itself, or one message that is
 * edited in place and finally becomes the answer. The first post of such a message goes through the
 * outbox (delivery/preview-post.ts); if a restart leaves its outcome unknown, this turn shows no more
 * previews. Nothing here may fail a step.
 */
export interface Preview {
  add(text: string): void;
  /** Resolves when no request of the preview is on its way any more. */
  settle(): Promise<void>;
}

const MIN_NEW_CHARS = 200;

export function createPreview(run: Run): Preview {
  const { ports, turn } = run;
  const filter = createPreviewFilter();
  const mode = previewMode(run);
  const watched = createLiveText(run);
  const interval = previewInterval(run);
  let raw = "";
  let shown = 0;
  let shownAt = ports.now();
  let busy: Promise<void> | null = null;
  const due = () => raw.length - shown >= MIN_NEW_CHARS && ports.now() - shownAt >= interval;
  return {
    add(delta) {
      raw += delta;
      filter.push(delta);
      ports.live.partial = { turnId: turn.id, text: raw, visible: () => filter.visible() };
      watched(filter);
      if (mode === "none" || busy || !due()) return;
      const text = filter.visible();
      shown = raw.length;
      shownAt = ports.now();
      if (text === "") return;
      busy = show(run, mode, `${text} …`)
        .catch((error: unknown) =>
          ports.log.warn("preview.failed", { error: describeError(error) }),
        )
        .finally(() => {
          busy = null;
        });
    },
    async settle() {
      await busy;
    },
  };
}

function previewInterval({ ports, turn }: Run): number {
  const { route } = turn.detail;
  const capabilities = ports.channel(route)?.capabilities;
  const direct = capabilities?.previewIntervalMs ?? 1_000;
  return route.kind === "direct" ? direct : (capabilities?.groupPreviewIntervalMs ?? direct);
}

/** Smallest time between two deltas to people who watch live: filtering costs a pass over the text. */
const LIVE_INTERVAL_MS = 40;

/** Passes on what is new of the visible text, as long as it only grows. */
function createLiveText({ ports, turn }: Run): (filter: PreviewFilter) => void {
  let emittedAt = 0;
  return (filter) => {
    const now = ports.now();
    if (!ports.live.watched(turn.id) || now - emittedAt < LIVE_INTERVAL_MS) return;
    emittedAt = now;
    const visible = filter.visible();
    const shown = ports.live.shown(turn.id);
    if (visible.length <= shown.length || !visible.startsWith(shown)) return;
    ports.live.emit(turn.id, { type: "text-delta", text: visible.slice(shown.length) });
  };
}

function previewMode({ ports, turn }: Run): "edit" | "draft" | "none" {
  const { route, preview } = turn.detail;
  if (channelConfig(ports.config, route.channel).streaming === "off") return "none";
  if (preview && preview.state !== "live") return "none";
  return ports.channel(route)?.previewMode?.(route) ?? "none";
}

async function show(run: Run, mode: "edit" | "draft", text: string): Promise<void> {
  const { ports, runner, turn } = run;
  const { route } = turn.detail;
  const channel = ports.channel(route);
  if (mode === "draft") {
    claimEffect(ports, runner);
    await withSendContext(ports, { key: turn.id }, async (context) =>
      channel?.draft?.(draftId(turn), text, route, context),
    );
    return;
  }
  const messageId = ports.store.turns.get(turn.id)?.detail.preview?.messageId;
  const part = channel?.render({ kind: "interim", text }, route)[0];
  if (!channel?.edit || !part) return;
  if (messageId === undefined) {
    await postPreview(ports, runner, turn, part);
    return;
  }
  claimEffect(ports, runner);
  await withSendContext(ports, { key: turn.id }, async (context) =>
    channel.edit?.(messageId, part, route, context),
  );
}

/** A positive 31-bit number that stays the same for a turn. */
function draftId(turn: Turn): number {
  let hash = 0;
  for (const character of turn.id) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (Math.abs(hash) % 2_000_000_000) + 1;
}
