import type { Config } from "./config.ts";

/**
 * What the running service was configured with: the document with its defaults, and what comes from
 * environment variables. Made by wiring/config.ts; everything else only reads it.
 */
export interface RuntimeConfig {
  readonly config: Config;
  readonly owners: readonly Owner[];
  readonly closed: ClosedAccess;
  /** IANA zone of the owner. */
  readonly timeZone: string;
  /** `provider/model`; undefined = the default rule of the registry. */
  readonly model: string | undefined;
  /** Undefined = the API and the control page are off. */
  readonly gatewayToken: string | undefined;
  /** Every value a `${VAR}` was replaced by: to be masked wherever text leaves. */
  readonly secrets: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** Someone who may do everything, as one channel knows them. */
export interface Owner {
  readonly channel: string;
  readonly id: string;
}

/**
 * Where nobody is admitted, because settings about access could not be read: everywhere, or on
 * these channels.
 */
export type ClosedAccess = "all" | readonly string[];

/**
 * `error`: the section named by `path` is not in force. `warning`: something was ignored. `message`
 * is one sentence for the operator, never with a secret in it.
 */
export interface ConfigProblem {
  readonly severity: "error" | "warning";
  /** `channels.telegram.allowFrom[0]`, or the name of an environment variable. */
  readonly path: string;
  readonly message: string;
}
