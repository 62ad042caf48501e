/**
 * Where the bot token and a person's files may go: Slack itself and the operator's API root (and its
 * `files.` sibling, for GovSlack). Always by https, except at exactly the configured origin. URLs come
 * out of events and answers, so each one is checked, every redirect too.
 */
const slackHosts = new Set(["slack.com", "files.slack.com"]);

/** The parsed URL when it may be trusted, else null. */
export function trustedUrl(address: string, apiRoot: string, base?: string): URL | null {
  const url = URL.parse(address, base);
  const root = URL.parse(apiRoot);
  if (url === null || root === null || url.username !== "" || url.password !== "") return null;
  if (url.origin === root.origin) return url;
  if (url.protocol !== "https:" || url.port !== "") return null;
  const known = slackHosts.has(url.hostname) || isRootHost(url.hostname, root);
  return known ? url : null;
}

function isRootHost(hostname: string, root: URL): boolean {
  return hostname === root.hostname || hostname === `files.${root.hostname}`;
}
