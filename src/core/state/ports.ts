import type { AgentPort } from "#contract/agent-port.ts";
import type { Channel, FetchedMedia } from "#contract/channel.ts";
import type { Config } from "#contract/config.ts";
import type { OutboundMessage, ReplyRoute } from "#contract/message.ts";
import type { ModelInfo } from "#contract/model.ts";
import type { Origins } from "#contract/origins.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { Provider } from "#contract/provider.ts";
import type { Result } from "#contract/result.ts";
import type { HistoryPage, HistoryRequest } from "#contract/session-rpc.ts";
import type { SessionStore } from "#contract/session-store.ts";
import type { Tool } from "#contract/tool.ts";
import type { LiveTurns } from "./live.ts";

/** Everything one session is made of. Built by src/wiring, handed to every function below. */
export interface SessionPorts {
  /** The session key; also the object's name. */
  readonly key: string;
  readonly agentId: string;
  readonly store: SessionStore;
  readonly config: Config;
  /** IANA zone of the owner. */
  readonly timeZone: string;
  channel(route: ReplyRoute): Channel | undefined;
  readonly models: ModelDirectory;
  readonly tools: readonly Tool[];
  readonly agent: AgentPort;
  readonly media: MediaStore;
  readonly parts: PartStore;
  readonly peers: Peers;
  readonly origins: Origins;
  readonly timers: Timers;
  readonly live: LiveTurns;
  readonly log: Log;
  readonly now: Now;
  readonly newId: () => string;
  /** Changes whenever the object is loaded anew: whatever an older one was doing has ended. */
  readonly bootId: string;
  /** Lets work go on after the present call has been answered; what it throws is logged. */
  background(work: Promise<unknown>): void;
  /** Deletes everything this object stores, its alarm too. These ports must not be used afterwards. */
  erase(): Promise<void>;
}

export interface ResolvedModel {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: Provider;
  readonly info: ModelInfo;
}

export interface ModelDirectory {
  /** Undefined = the default model. The error says what to do, for the person who asked. */
  resolve(name: string | undefined): Result<ResolvedModel, string>;
  /** Names worth offering, those that can be used first; `note` says what a person must know. */
  list(): readonly { readonly name: string; readonly usable: boolean; readonly note: string }[];
}

/** Files that came with messages, in R2. */
export interface MediaStore {
  put(key: string, media: FetchedMedia): Promise<void>;
  get(key: string): Promise<FetchedMedia | null>;
}

/** Parts of this conversation's transcript that were put away to R2, each named by its first entry. */
export interface PartStore {
  put(first: number, text: string): Promise<void>;
  get(first: number): Promise<string | null>;
  /** Names after that one, in order; at most 1,000. */
  list(after: number): Promise<number[]>;
}

/** Other sessions of the same agent. */
export interface Peers {
  /** Says something in another conversation, and has it remembered there. */
  deliver(
    sessionKey: string,
    message: OutboundMessage,
    key: string,
  ): Promise<Result<string, string>>;
  /** What was said in another conversation. */
  history(sessionKey: string, request: HistoryRequest): Promise<HistoryPage | null>;
}

/** Time as a port: the core never waits by itself. */
export interface Timers {
  /** Runs `work` once after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void;
  sleep(ms: number): Promise<void>;
}
