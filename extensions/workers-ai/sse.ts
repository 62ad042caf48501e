/**
 * Server-sent events → the data of each event. Just what model streams use: data fields and blank lines.
 * A line may be cut anywhere, also inside a character; an event is over at a blank line or at the end.
 */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield* done ? parser.end() : parser.push(value);
      if (done) return;
    }
  } finally {
    // Left early: tells the server to stop. After the end it does nothing.
    await reader.cancel().catch(() => {});
  }
}

class EventParser {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #data: string[] = [];

  push(bytes: Uint8Array): string[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): string[] {
    return this.#read(`${this.#decoder.decode()}\n\n`);
  }

  #read(text: string): string[] {
    // A lone carriage return at the end may be half of a line end.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): string[] {
    const field = dataOf(line);
    if (field !== undefined) this.#data.push(field);
    if (line !== "" || this.#data.length === 0) return [];
    const event = this.#data.join("\n");
    this.#data = [];
    return [event];
  }
}

function dataOf(line: string): string | undefined {
  // Some models on Workers AI end with the bare mark.
  if (line === "[DONE]") return line;
  if (!line.startsWith("data:")) return undefined;
  return line.startsWith("data: ") ? line.slice(6) : line.slice(5);
}
