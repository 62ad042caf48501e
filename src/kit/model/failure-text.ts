import type { ModelFaultReason } from "#contract/fault.ts";

/**
 * What providers call their failures: codes and wordings → reason. This is the only list of its kind;
 * failure.ts decides which entry may overrule which HTTP status. The tables are read on error answers
 * only, never on what a model wrote.
 * Trade-off: a wording missing here costs a wrong reason, a pattern too wide turns an ordinary error
 * into a compaction, so patterns stay narrow.
 */
const codes: Readonly<Record<string, ModelFaultReason>> = {
  // Anthropic
  authentication_error: "auth",
  permission_error: "auth_permanent",
  billing_error: "billing",
  not_found_error: "model_not_found",
  rate_limit_error: "rate_limit",
  overloaded_error: "overloaded",
  timeout_error: "timeout",
  request_too_large: "context_overflow",
  invalid_request_error: "format",
  contract_spend_limit_reached: "billing",
  enforced_spend_limit_reached: "billing",
  linked_organization_billing_unavailable: "billing",
  linked_organization_spend_limit_reached: "billing",
  ramp_limit_exceeded: "rate_limit",
  organization_on_hold: "auth_permanent",
  // OpenAI and those who speak its language
  insufficient_quota: "billing",
  billing_hard_limit_reached: "billing",
  billing_not_active: "billing",
  insufficient_credits: "billing",
  rate_limit_exceeded: "rate_limit",
  slow_down: "overloaded",
  engine_overloaded: "overloaded",
  context_length_exceeded: "context_overflow",
  exceed_context_size_error: "context_overflow",
  string_above_max_length: "context_overflow",
  invalid_api_key: "auth",
  invalid_authentication: "auth",
  account_deactivated: "auth_permanent",
  unsupported_country_region_territory: "auth_permanent",
  model_not_found: "model_not_found",
  deployment_not_found: "model_not_found",
  content_filter: "refusal",
  content_policy_violation: "refusal",
  responsible_ai_policy_violation: "refusal",
  image_content_policy_violation: "refusal",
  bio_policy: "refusal",
};

/** The reason a provider's own code stands for. */
export function reasonOfCode(code: string): ModelFaultReason | undefined {
  return codes[code.toLowerCase().replaceAll(/[\s-]+/g, "_")];
}

/** "Too long" about a rate is a rate limit, whatever else the sentence says. */
const rate =
  /rate[- ]?limit|too many requests|(tokens|requests) per (second|min|day|hour)|\b[TR]PM\b/i;

const wordings: readonly (readonly [ModelFaultReason, RegExp])[] = [
  ["rate_limit", rate],
  ["context_overflow", /prompt (is|was) too (long|large)/i],
  ["context_overflow", /context (size|length|window) (has been |was |is )?exceeded/i],
  ["context_overflow", /(exceed\w*|longer than|larger than|beyond|fit in)\b.{0,60}\bcontext\b/i],
  ["context_overflow", /ran out of room in the model.{0,4} context/i],
  ["context_overflow", /maximum (context|prompt) length/i],
  ["context_overflow", /input (is|was) too long|input length .{0,40}exceed/i],
  ["context_overflow", /input token count .{0,40}exceeds/i],
  ["context_overflow", /exceeded model token limit/i],
  ["context_overflow", /reduce the length of the (messages|prompt|input)/i],
  ["context_overflow", /request (entity )?(is )?too large/i],
  ["billing", /credit balance|insufficient (credits?|funds|balance|quota)|payment required/i],
  ["billing", /exceeded your current quota|check your plan and billing/i],
  ["auth", /(invalid|incorrect|missing) (x-)?api[- _]?key|api key (is )?(not valid|invalid)/i],
  ["auth", /unauthorized|authentication failed/i],
  ["model_not_found", /\bmodel\b.{0,120}(not found|does not exist|is not (a )?(valid|available))/i],
  ["model_not_found", /(unknown|no such|invalid) model\b|not a valid model/i],
  ["refusal", /content (management )?policy|content filter|usage polic(y|ies)|was flagged/i],
  ["overloaded", /overloaded|(at|over) capacity|temporarily unavailable|high demand/i],
  ["timeout", /timed? ?out/i],
];

const connection =
  /\bterminated\b|socket hang up|premature close|other side closed|fetch failed|connection (error|lost|reset|closed|refused)/i;

/** Every reason an error message could stand for, the likeliest first. */
export function reasonsOfText(message: string): ModelFaultReason[] {
  const found = wordings.filter(([, pattern]) => pattern.test(message)).map(([reason]) => reason);
  if (isConnectionText(message)) found.push("timeout");
  return rate.test(message) ? found.filter((reason) => reason !== "context_overflow") : found;
}

/** Does an error message tell of a connection that failed or broke off? */
export function isConnectionText(message: string): boolean {
  return connection.test(message);
}

const networkErrno =
  /^(ECONN(RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_\w+)$/;

/** Is this the operating system's or the HTTP client's code for a broken connection? */
export function isNetworkErrno(code: string): boolean {
  return networkErrno.test(code);
}
