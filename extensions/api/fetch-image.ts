import type { FetchedMedia } from "#contract/channel.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { readBounded } from "#kit/bounded-bytes.ts";
import { guardUrl, urlRefusalText } from "#kit/url-guard.ts";

/** Fetches a caller's picture: a data: URL, or a public address whose every hop passes the guard. */
const MAX_BYTES = 20_000_000;
const MAX_HOPS = 3;
const TIMEOUT_MS = 30_000;

export async function fetchAttachment(
  ports: ExtensionPorts,
  ref: string,
): Promise<Result<FetchedMedia, string>> {
  if (ref.startsWith("data:")) return decodeDataUrl(ref);
  try {
    return await fetchPublic(ports, ref);
  } catch {
    return err("it could not be fetched"); // Why is the other server's business, not the reader's.
  }
}

async function fetchPublic(
  ports: ExtensionPorts,
  ref: string,
): Promise<Result<FetchedMedia, string>> {
  let target = guardUrl(ref);
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    if (!target.ok) return err(urlRefusalText(target.error));
    const url = target.value;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await ports.fetch(url.href, { redirect: "manual", signal });
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      target = guardUrl(location, url);
      continue;
    }
    if (!response.ok) return err(`its server answered ${response.status}`);
    return await readImage(response, url);
  }
  return err("it redirects too often");
}

async function readImage(response: Response, url: URL): Promise<Result<FetchedMedia, string>> {
  const declared = response.headers.get("content-length");
  const bytes = await readBounded(response.body, MAX_BYTES, declared);
  if (bytes === null) return err("it is larger than 20 MB");
  const mimeType = (response.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  const name = url.pathname.split("/").at(-1) || "image";
  return ok({ bytes, mimeType: mimeType || "application/octet-stream", name });
}

function decodeDataUrl(ref: string): Result<FetchedMedia, string> {
  const match = /^data:([^;,]*)((?:;[^;,]*)*),/.exec(ref.slice(0, 1_000));
  if (!match) return err("its data: URL is not valid");
  const payload = ref.slice(match[0].length);
  try {
    const text = match[2]?.includes(";base64") ? atob(payload) : decodeURIComponent(payload);
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    if (bytes.byteLength > MAX_BYTES) return err("it is larger than 20 MB");
    return ok({ bytes, mimeType: match[1] || "text/plain", name: "attachment" });
  } catch {
    return err("its data: URL is not valid");
  }
}
