import { err, ok, type Result } from "#contract/result.ts";
import { isPublicIpv4, isPublicIpv6, parseIpv4, parseIpv6 } from "./ip-range.ts";

/**
 * May a URL that a model, a page or a stranger chose be fetched? http(s) on an ordinary port of a public
 * host, without credentials. To be asked again for every redirect hop. Operator settings (API roots) do
 * not pass through here. No DNS is asked: a public name that resolves to a private address is the
 * platform's to refuse (Workers reach no private network), except for well-known names that do just that.
 */
export type UrlRefusal = "malformed" | "scheme" | "credentials" | "port" | "private";

const maxLength = 8192;
const ordinaryPorts = ["", "80", "443", "8000", "8008", "8080", "8443", "8880", "8888"];

/** Last labels of names that mean this machine or this network. */
const privateSuffixes = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "metadata.goog",
  // Public names that resolve to whatever address they spell, or to loopback.
  "nip.io",
  "sslip.io",
  "xip.io",
  "traefik.me",
  "localtest.me",
  "lvh.me",
  "vcap.me",
];

/**
 * The parsed URL, or why it must not be fetched. `base` resolves a relative reference (a Location header).
 * The caller fetches the returned URL, never the text it was given. Never throws.
 */
export function guardUrl(text: string, base?: URL): Result<URL, UrlRefusal> {
  if (text.length > maxLength || !URL.canParse(text, base?.href)) return err("malformed");
  const url = new URL(text, base?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") return err("scheme");
  if (url.username !== "" || url.password !== "") return err("credentials");
  if (!isPublicHost(url.hostname)) return err("private");
  if (!ordinaryPorts.includes(url.port)) return err("port");
  return ok(url);
}

/** Is this the host name of a URL (as the URL parser gives it) on the public internet, by its looks? */
export function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) {
    const address = parseIpv6(hostname.slice(1, -1));
    return address !== null && isPublicIpv6(address);
  }
  const ipv4 = parseIpv4(hostname);
  if (ipv4) return isPublicIpv4(ipv4);
  const name = hostname.toLowerCase().replace(/\.+$/, "");
  if (!name.includes(".")) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

/** What the model or the person reads. Names the rule, not the address. */
export function urlRefusalText(refusal: UrlRefusal): string {
  switch (refusal) {
    case "malformed":
      return "This is not a valid URL.";
    case "scheme":
      return "Only http and https URLs can be fetched.";
    case "credentials":
      return "URLs with a user name or password are not fetched.";
    case "port":
      return "Only ordinary web ports can be fetched.";
    case "private":
      return "Addresses of private networks, of this machine and of cloud metadata are not fetched.";
  }
}
