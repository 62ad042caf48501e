/** What bench/memory.ts and the Worker it measures say to each other. */
export interface FilesRequest {
  readonly agent: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export interface AskRequest {
  readonly agent: string;
  readonly mode: "keyword" | "vector" | "hybrid";
  /** `turn`: ranked lines; `notes`: rows as they are answered. */
  readonly unit: "turn" | "notes";
  readonly today: string;
  readonly questions: readonly string[];
}

export interface ClearRequest {
  readonly agent: string;
}

export interface CostRequest {
  readonly agent: string;
  readonly text: string;
}

export interface Answer {
  readonly rows: readonly FoundLines[];
  readonly ms: number;
}

export interface FoundLines {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
}

/** Plain BM25 over whole documents: the floor. */
export interface PlainRequest {
  readonly table: string;
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  readonly questions: readonly string[];
}
