import { whereToSet, type ModelFault } from "#contract/fault.ts";

/**
 * Why texts got no vectors, for the operator: what happened, and what to do about it. The fault's own
 * message is redacted already. Written for embedders, whose failure costs a duller search, no answer.
 */
export function embeddingFailure(model: string, fault: ModelFault): string {
  const said = `${model} failed (${fault.message})`;
  switch (fault.reason) {
    case "billing":
      return `${said}: its account has no credit or allocation left`;
    case "rate_limit":
      return `${said}: it is rate limited; this passes`;
    case "overloaded":
      return `${said}: it is overloaded; this passes`;
    case "auth":
    case "auth_permanent":
      return `${said}: it does not accept ${keyWords(fault.variable)}`;
    case "timeout":
      return timeoutWords(model, fault);
    case "format":
    case "context_overflow":
      return `${said}: it could not read the request`;
    case "model_not_found":
      return `${said}: there is no such model there; name another, or another EMBEDDER`;
    case "aborted":
      return `${model} was stopped`;
    case "session_expired":
    case "refusal":
    case "empty":
    case "not_configured":
    case "unknown":
      return said;
  }
}

function keyWords(variable: string | undefined): string {
  return variable === undefined ? "the account" : `${variable}; set it ${whereToSet(variable)}`;
}

function timeoutWords(model: string, { connection, unreached, message }: ModelFault): string {
  if (unreached !== undefined) return `${model} was not reached: nothing answers at ${unreached}`;
  if (connection) return `${model} was not reached (${message})`;
  return `${model} did not answer in time`;
}
