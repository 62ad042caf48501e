import { z } from "zod";
import type { FetchedMedia } from "#contract/channel.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { readBounded } from "#kit/bounded-bytes.ts";
import { withTimeout, type SlackClient } from "./client.ts";
import { maxAttachmentBytes } from "./inbound-file.ts";
import { networkFault } from "./network-fault.ts";
import { refusalText } from "./outcome.ts";
import { trustedUrl } from "./trusted-host.ts";
import { fileSchema } from "./wire.ts";

/**
 * A private file's bytes. The token goes to trusted hosts only, over at most three redirects, and the
 * body is counted while it streams, whatever its headers say. Slack answers a token without files:read
 * with its sign-in page instead of an error, so an unexpected page is reported as that.
 */
export interface DownloadSource {
  readonly client: SlackClient;
  readonly apiRoot: string;
  readonly botToken: string;
  readonly ports: Pick<ExtensionPorts, "fetch">;
}

const maxRedirects = 3;
const infoSchema = z.looseObject({ file: fileSchema });
const noPermission = "Slack did not hand the file out; the app may lack files:read";

/** `ref` is a private URL or a file id. Never rejects; errors name no URL. */
export async function fetchFile(
  ref: string,
  source: DownloadSource,
): Promise<Result<FetchedMedia, string>> {
  const address = /^https?:/i.test(ref) ? ok(ref) : await privateUrl(ref, source.client);
  if (!address.ok) return address;
  try {
    return await download(address.value, source);
  } catch (error) {
    return err(`the download from Slack failed (${networkFault(error)})`);
  }
}

async function privateUrl(id: string, client: SlackClient): Promise<Result<string, string>> {
  const outcome = await client.call({ method: "files.info", encoding: "form", args: { file: id } });
  if (outcome.kind === "refused") return err(refusalText(outcome.code, outcome.needed));
  if (outcome.kind === "limited") return err("Slack asks to slow down");
  if (outcome.kind !== "ok") return err(outcome.reason);
  const info = infoSchema.safeParse(outcome.body);
  const url = info.data?.file.url_private_download ?? info.data?.file.url_private;
  return url === undefined ? err("Slack gives no address for this file") : ok(url);
}

async function download(
  address: string,
  source: DownloadSource,
): Promise<Result<FetchedMedia, string>> {
  const { fetch } = source.ports;
  let url = trustedUrl(address, source.apiRoot);
  const signal = withTimeout();
  for (let hop = 0; hop <= maxRedirects && url !== null; hop += 1) {
    const response = await fetch(url.href, {
      headers: { authorization: `Bearer ${source.botToken}` },
      redirect: "manual",
      signal,
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) {
      return await readFile(response, url);
    }
    await response.body?.cancel();
    url = trustedUrl(location, source.apiRoot, url.href);
  }
  return err(url === null ? "the file lies at a host that is not Slack's" : noPermission);
}

async function readFile(response: Response, url: URL): Promise<Result<FetchedMedia, string>> {
  const mimeType = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
  const name = fileName(url);
  const isPage = mimeType === "text/html" && !/\.html?$/i.test(name);
  if (!response.ok || isPage) {
    await response.body?.cancel();
    return err(response.ok ? noPermission : `Slack answered HTTP ${response.status} for the file`);
  }
  const bytes = await readBounded(
    response.body,
    maxAttachmentBytes,
    response.headers.get("content-length"),
  );
  if (bytes === null) return err("larger than 20 MB");
  return ok({ bytes, mimeType: mimeType || "application/octet-stream", name });
}

function fileName(url: URL): string {
  const last = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || "file";
  } catch {
    return last; // Not percent-encoded text: the raw segment is as good a name.
  }
}
