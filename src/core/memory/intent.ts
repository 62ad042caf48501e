import type { Intent, NewIntent } from "#contract/intent.ts";
import { isTelling } from "#kit/text/stop-words.ts";
import { singular } from "#kit/text/stem.ts";
import { foldedWords, foldText } from "#kit/text/words.ts";

/**
 * When a standing intent comes up. State in, state out: who stores it is elsewhere. An
 * intent is cancelled or done only when somebody says so; by itself it can only expire.
 */
const DAY = 86_400_000;
const COOLDOWN_MS = DAY;
const MAX_FIRES = 3;
const LIFETIME_MS = 90 * DAY;
/** For what no words can tell: it is brought up once after this time. */
const REVIEW_MS = 14 * DAY;
const PER_TURN = 3;
const MAX_KEYWORDS = 12;
export const MAX_ARMED_INTENTS = 50;

export function newIntent(given: NewIntent, id: string, now: number): Intent {
  const keywords = compileKeywords(given);
  return {
    id,
    when: oneLine(given.when, 300),
    action: oneLine(given.action, 500),
    keywords,
    status: "armed",
    createdAt: now,
    expiresAt: now + LIFETIME_MS,
    reviewAt: keywords.length === 0 ? now + REVIEW_MS : null,
    fires: 0,
    lastFiredAt: null,
    lastTurnId: null,
  };
}

/** The phrases suggested, else the telling words of what has to come up. */
function compileKeywords({ when, keywords }: NewIntent): string[] {
  const suggested = keywords.map((keyword) => oneLine(keyword, 60)).filter(isTellingPhrase);
  const own = suggested.length > 0 ? [] : tellingWords(when);
  return [...new Set([...suggested, ...own])].slice(0, MAX_KEYWORDS);
}

/** Words that stand in every "when …" and tell nothing of what comes up. */
const frame = new Set(
  "ask asks asked mention mentions mentioned mentioning talk talks talking say says said speak comes come up next time want wants need needs tell tells get gets anything something someone anyone remind topic subject conversation bring brings brought".split(
    " ",
  ),
);

function tellingWords(text: string): string[] {
  return foldedWords(text).filter((word) => isTelling(word) && !frame.has(word));
}

function isTellingPhrase(phrase: string): boolean {
  return foldedWords(phrase).some(isTelling);
}

/** Whether it could still come up: armed, not worn out, not resting, not over. */
export function mayFire(intent: Intent, now: number): boolean {
  return (
    intent.status === "armed" &&
    intent.fires < MAX_FIRES &&
    now < intent.expiresAt &&
    (intent.lastFiredAt === null || now - intent.lastFiredAt >= COOLDOWN_MS)
  );
}

/** Those a message brings up, at most three, the oldest first. */
export function intentsIn(message: string, intents: readonly Intent[], now: number): Intent[] {
  const able = intents.filter((intent) => mayFire(intent, now));
  if (able.length === 0) return [];
  const line = ` ${foldedWords(message).map(singular).join(" ")} `;
  const run = foldText(message).replace(/\s+/g, "");
  return able
    .filter(
      (intent) =>
        isDueForReview(intent, now) || intent.keywords.some((each) => isIn(each, line, run)),
    )
    .sort((a, b) => a.createdAt - b.createdAt)
    .slice(0, PER_TURN);
}

function isDueForReview({ reviewAt }: Intent, now: number): boolean {
  return reviewAt !== null && now >= reviewAt;
}

/** Korean has spaces, but its words end with what they do in the sentence. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{Script=Hangul}{2}/u;

function isIn(keyword: string, line: string, run: string): boolean {
  if (spaceless.test(keyword)) return run.includes(foldText(keyword).replace(/\s+/g, ""));
  return line.includes(` ${foldedWords(keyword).map(singular).join(" ")} `);
}

/** After it has come up. A review that has been shown is not shown again by itself. */
export function fired(intent: Intent, turnId: string, now: number): Intent {
  const fires = intent.fires + 1;
  return { ...intent, fires, lastFiredAt: now, lastTurnId: turnId, reviewAt: null };
}

/** What time alone changes. */
export function aged(intent: Intent, now: number): Intent {
  const over = intent.status === "armed" && (now >= intent.expiresAt || isWornOut(intent, now));
  return over ? { ...intent, status: "expired" } : intent;
}

/** Came up as often as it may, and the last time is long enough ago that nobody acts on it any more. */
function isWornOut({ fires, lastFiredAt }: Intent, now: number): boolean {
  return fires >= MAX_FIRES && lastFiredAt !== null && now - lastFiredAt >= COOLDOWN_MS;
}

function oneLine(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}
