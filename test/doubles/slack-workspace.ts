/**
 * What a Slack workspace holds: conversations, messages with their edits and deletions, files. Ids are
 * compared exactly, as Slack does. State only: which request may do what is in slack-methods.ts.
 */
export interface SlackChannel {
  readonly id: string;
  readonly name?: string;
  /** The other side of a direct chat (`D…`). */
  readonly user?: string;
  /** Is the bot a member? Default true. */
  readonly joined?: boolean;
  readonly archived?: boolean;
}

export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | undefined;
  readonly user: string;
  readonly botId: string | undefined;
  text: string;
  blocks: readonly unknown[];
  metadata: unknown;
  readonly files: readonly unknown[];
  /** Earlier texts, oldest first. */
  readonly edits: string[];
  deleted: boolean;
}

export interface NewMessage {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly ts?: string;
  readonly threadTs?: string | undefined;
  readonly botId?: string;
  readonly blocks?: readonly unknown[];
  readonly metadata?: unknown;
  readonly files?: readonly unknown[];
}

export interface SlackStoredFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  bytes: Uint8Array;
  /** Where it was shared. */
  readonly shares: { channel: string; threadTs: string | undefined }[];
}

export class SlackWorkspace {
  readonly messages: SlackMessage[] = [];
  readonly files = new Map<string, SlackStoredFile>();
  readonly #channels = new Map<string, SlackChannel>();
  readonly #now: () => number;
  #lastMicros = 0;
  #fileCount = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  addChannel(channel: SlackChannel): void {
    this.#channels.set(channel.id, channel);
  }

  channel(id: string): SlackChannel | undefined {
    return this.#channels.get(id);
  }

  directChatWith(user: string): SlackChannel | undefined {
    return [...this.#channels.values()].find((one) => one.id.startsWith("D") && one.user === user);
  }

  add(message: NewMessage): SlackMessage {
    const stored: SlackMessage = {
      channel: message.channel,
      ts: message.ts ?? this.#nextTs(),
      threadTs: message.threadTs,
      user: message.user,
      botId: message.botId,
      text: message.text,
      blocks: message.blocks ?? [],
      metadata: message.metadata,
      files: message.files ?? [],
      edits: [],
      deleted: false,
    };
    this.messages.push(stored);
    return stored;
  }

  find(channel: string, ts: string): SlackMessage | undefined {
    return this.messages.find((one) => one.channel === channel && one.ts === ts && !one.deleted);
  }

  /** What people see, oldest first: the main conversation, or one thread without its head. */
  visible(channel: string, thread?: string): SlackMessage[] {
    return this.messages.filter(
      (one) => one.channel === channel && one.threadTs === thread && !one.deleted,
    );
  }

  addFile(file: {
    readonly name: string;
    readonly mimeType?: string;
    readonly bytes: Uint8Array;
  }): SlackStoredFile {
    const stored: SlackStoredFile = {
      id: `F0FAKE${String(++this.#fileCount).padStart(4, "0")}`,
      name: file.name,
      mimeType: file.mimeType ?? "application/octet-stream",
      bytes: file.bytes,
      shares: [],
    };
    this.files.set(stored.id, stored);
    return stored;
  }

  clear(): void {
    this.messages.length = 0;
    this.files.clear();
  }

  /** Seconds and six digits, never the same twice. */
  #nextTs(): string {
    this.#lastMicros = Math.max(this.#lastMicros + 1, this.#now() * 1000);
    const digits = String(this.#lastMicros);
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }
}

/** What a person reads of a message: its section blocks if it has any, else its text; unescaped. */
export function readableText(message: Pick<SlackMessage, "text" | "blocks">): string {
  const sections = message.blocks.flatMap((block) => {
    const text = member(member(block, "text"), "text");
    return member(block, "type") === "section" && typeof text === "string" ? [text] : [];
  });
  const shown = sections.length > 0 ? sections.join("\n") : message.text;
  return shown.replace(/&(amp|lt|gt);/g, (_, name: string) => unescaped[name] ?? "");
}

const unescaped: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">" };

/** A member of anything. */
export function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
