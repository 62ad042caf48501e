/** A few texts under names, beside an agent's files and out of the reach of any tool. */
export interface EvidenceStore {
  /** In their order. */
  names(): Promise<string[]>;
  get(name: string): Promise<string | null>;
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}
