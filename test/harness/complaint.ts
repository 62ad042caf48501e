import type { Garbage } from "./garbage.ts";

/** What was answered wrongly to bodies that are no messages. */
export type Send = (body: Garbage, signed: boolean) => Promise<Response>;

/** Sends each body, signed and not, a few at a time; gives what was answered wrongly. */
export async function complaints(bodies: readonly Garbage[], send: Send): Promise<string[]> {
  const found: string[] = [];
  const judge = async (body: Garbage, signed: boolean) => {
    const wrong = await faultOf(body, signed, send);
    if (wrong)
      found.push(
        `${wrong}: ${JSON.stringify(Buffer.from(body).toString("latin1").slice(0, 2000))}`,
      );
  };
  const queue = bodies.flatMap((body) => [() => judge(body, true), () => judge(body, false)]);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await next();
    }),
  );
  return found;
}

async function faultOf(body: Garbage, signed: boolean, send: Send): Promise<string | null> {
  try {
    const response = await send(body, signed);
    const text = await response.text();
    const { status } = response;
    if (status >= 500) return `${status} ${text}`;
    const tooLarge = body.length > 1_000_000 && status === 413;
    if (!signed) return status === 401 || tooLarge ? null : `unsigned, but ${status}`;
    return status === 200 || (status >= 400 && status < 500) ? null : `${status} ${text}`;
  } catch (error) {
    return `no answer: ${String(error)}`;
  }
}
