/** What the thread of the doubles and the bench say to each other. Times: milliseconds since the epoch. */
export interface DoublesSetup {
  readonly token: string;
  /** The one person there is; their private chat has these topics, each a conversation of its own. */
  readonly owner: number;
  readonly topics: readonly number[];
  /** Report the text of every model request as well. */
  readonly showRequests: boolean;
}

/** From now on the model gives this answer. */
export interface DoublesOrder {
  readonly answer: string;
  readonly delayMs: number;
}

export type DoublesReport =
  | { readonly type: "ready"; readonly telegramUrl: string; readonly modelUrl: string }
  /** A model call has been answered; `ms` of that were the double's own. */
  | { readonly type: "model"; readonly at: number; readonly ms: number }
  | { readonly type: "request"; readonly text: string }
  | { readonly type: "sent"; readonly at: number; readonly topic: number };
