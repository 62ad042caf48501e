/**
 * Which link targets become a link mark, and in which spelling. Only absolute URLs of a few schemes
 * do: a relative path is not clickable in a chat, and a script or data URL must not be. What is no
 * link keeps its target as visible text, because a person may need it.
 */
import { decodeEntities } from "./entities.ts";

/** Longer targets are shown, not linked: mark-up that alone fills a message can never be sent. */
const maxLinkLength = 2048;
/** A target that is no link is shown up to this length (a data URL of a picture is not). */
const maxShownLength = 256;

const linkable = /^(?:https?:\/\/[^/]|mailto:.|tel:.|tg:\/\/.)/i;
const unshowable = /^(?:#|javascript:|vbscript:|data:)/i;
const unsafeCharacters = /[\s"<>|\\^`{}]/g;

/**
 * The URL for a link mark, or null when the target is none. Character references are decoded, and
 * what would end a link in some platform's mark-up is percent-encoded; `&` stays as it is.
 */
export function linkTarget(href: string): string | null {
  const target = decodeEntities(href).trim();
  if (!linkable.test(target)) return null;
  const url = target.replace(unsafeCharacters, encodeURIComponent);
  return url.length > maxLinkLength ? null : url;
}

/** What to show beside the text of a target that is no link: `" (notes/today.md)"`, or nothing. */
export function shownTarget(href: string, text: string): string {
  const target = decodeEntities(href).trim();
  if (target === "" || target === text || unshowable.test(target)) return "";
  return target.length > maxShownLength && !linkable.test(target) ? "" : ` (${target})`;
}
