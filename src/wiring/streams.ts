/** Byte streams as RPC wants them, over what the core offers: a listener, or a generator of text. */
export function lineStream<Event extends { readonly type: string }>(
  subscribe: (listener: (event: Event) => void) => () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  let stop = () => {};
  let over = false;
  const give = (event: Event) => {
    if (over) return;
    const last = event.type === "ended";
    over = last;
    const written = writer.write(encoder.encode(`${JSON.stringify(event)}\n`));
    written.then(() => (last ? writer.close() : undefined)).catch(() => stop());
  };
  stop = subscribe(give);
  return readable;
}

/** Page by page, as the reader asks for them. */
export function textStream(pages: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pages[Symbol.asyncIterator]();
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const next = await iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
  });
}
