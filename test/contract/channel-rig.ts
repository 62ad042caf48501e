import type { Channel, OutboundPart, SendContext, WebhookRequest } from "#contract/channel.ts";
import type { OutboundMessage, ReplyRoute } from "#contract/message.ts";
import type { ExtensionPorts } from "#contract/ports.ts";

/**
 * What a channel hands to the conformance suite, and the small tools its tests share: ports over the
 * real fetch, a send context that counts claims. No test lives here.
 */
export interface ChannelSuite {
  readonly name: string;
  /** Secrets given to `create`: none of them, nor a prefix of 12 characters, may show up anywhere. */
  readonly secrets: readonly string[];
  /** The signing secret used by `signedRequest` for good requests. */
  readonly signingSecret: string;
  /** A bare-bones body the platform would send for a person's message with this text. */
  messageBody(text: string): string;
  /**
   * `signingSecret` undefined = not configured. Everything else is configured. May throw a ZodError: a
   * channel that cannot do without its secret is then not there at all, and nothing is heard.
   */
  create(options: {
    readonly apiRoot: string;
    readonly signingSecret: string | undefined;
    readonly ports: ExtensionPorts;
  }): Channel;
  /** A request signed with `secret` (which may be empty) at `now`; `secret` undefined = unsigned. */
  signedRequest(request: {
    readonly body: string | Uint8Array;
    readonly secret: string | undefined;
    readonly now: number;
  }): WebhookRequest | Promise<WebhookRequest>;
  /** A fresh double per test. Absent: there is no platform, whoever asks is answered (an API). */
  double?(): ChannelDouble;
  /** A place the double knows. */
  readonly route: ReplyRoute;
}

export type ChannelFailure =
  | { readonly kind: "rate-limit"; readonly seconds: number }
  /** A definite no that is not about one message: blocked, gone, not allowed. */
  | { readonly kind: "refused" }
  /** 5xx before and after the effect. */
  | { readonly kind: "server-error"; readonly applied: boolean }
  | { readonly kind: "cut"; readonly applied: boolean };

export interface ChannelDouble {
  start(): Promise<string>;
  stop(): Promise<void>;
  /** Fails the next call that posts, edits, removes or drafts. */
  failNext(failure: ChannelFailure): void;
  /** Texts a person sees on `route`, oldest first. */
  visible(): readonly string[];
  /** Requests that tried to post a new message, answered or not. */
  posts(): number;
}

/** The time on the suite's clock, milliseconds since the epoch. */
export const suiteNow = 1_760_000_000_000;

export interface Rig {
  /** Throws where the channel has no platform. */
  readonly double: ChannelDouble;
  readonly channel: Channel;
  readonly logs: string[];
  readonly apiRoot: string;
}

/** Ports over the real fetch; log lines are kept. */
export function testPorts(logs: string[] = [], fetcher: typeof fetch = fetch): ExtensionPorts {
  let ids = 0;
  const write = (event: string, fields: unknown = {}) => {
    logs.push(`${event} ${JSON.stringify(fields)}`);
  };
  return {
    fetch: fetcher,
    now: () => suiteNow,
    newId: () => `id-${++ids}`,
    log: { info: write, warn: write, error: write },
    sleep: () => Promise.resolve(),
  };
}

export interface TestContext extends SendContext {
  /** How often the channel asked whether it may still act. */
  readonly claims: number;
}

export function sendContext(overrides: Partial<SendContext> = {}): TestContext {
  const state = { claims: 0 };
  return {
    deliveryId: "turn-1:final:0",
    signal: new AbortController().signal,
    readMedia: () => Promise.resolve(null),
    ...overrides,
    claim() {
      state.claims += 1;
      overrides.claim?.();
    },
    get claims() {
      return state.claims;
    },
  };
}

export function firstPart(parts: readonly OutboundPart[]): OutboundPart {
  const [part] = parts;
  if (!part) throw new Error("nothing was rendered");
  return part;
}

export function final(text: string): OutboundMessage {
  return { kind: "final", text };
}
