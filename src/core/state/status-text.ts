import { counted } from "#kit/text/counted.ts";
import type { QueueMode } from "#contract/config.ts";
import type { ThinkingLevel } from "#contract/model.ts";
import type { Result } from "#contract/result.ts";
import type { UsageTotals } from "#contract/session-store.ts";
import { nearestLevel } from "#kit/model/thinking-level.ts";

/** What /status and the model's session_status say: one fact a line. Text only; status.ts gathers. */
export interface StatusFacts {
  readonly agentId: string;
  /** The name with its thinking levels, or why there is none. */
  readonly model: Result<
    { readonly name: string; readonly levels: readonly ThinkingLevel[] },
    string
  >;
  readonly thinking: ThinkingLevel;
  readonly queueMode: QueueMode;
  readonly entries: number;
  /** Parts of what was said before that are in the archive alone. */
  readonly archivedParts: number;
  /** Nothing of it is archived: by whom; null = it goes by the rules. */
  readonly pinned: "command" | "configuration" | null;
  readonly history: {
    /** Estimated tokens that go to the model. */
    readonly tokens: number;
    /** Of those; less if the model's window is small. */
    readonly limit: number;
    readonly leftOutTurns: number;
  };
  /** As describeRunning says it. */
  readonly running: string;
  readonly waiting: number;
  /** As many as were counted: there may be more. */
  readonly mostWaiting: number;
  readonly openQuestions: number;
  /** Messages to channels that are not set up at present. */
  readonly unsent: readonly { readonly channel: string; readonly count: number }[];
  /** Why the last message got no answer. */
  readonly failure: string | undefined;
  /** Null where others read along. */
  readonly usage: UsageTotals | null;
}

export function statusText(facts: StatusFacts): string {
  const { agentId, model, running, failure } = facts;
  return [
    `Agent: ${agentId}`,
    `Model: ${model.ok ? model.value.name : model.error}`,
    thinkingLine(facts),
    `Messages sent while I work: ${queueWords[facts.queueMode]}.`,
    `Conversation: ${counted(facts.entries, "entry", "entries")}.${archivedText(facts)}`,
    ...(facts.pinned === null ? [] : [pinnedWords[facts.pinned]]),
    historyLine(facts),
    running,
    ...waitingLines(facts),
    ...facts.unsent.map(
      ({ channel, count }) =>
        `Not sent: ${counted(count, "message")}, until ${channel} is set up again.`,
    ),
    ...(failure === undefined ? [] : [`The last message was not answered: ${failure}`]),
    ...usageLines(facts.usage),
  ].join("\n");
}

const queueWords: Readonly<Record<QueueMode, string>> = {
  steer: "they join the answer under way",
  followup: "each is answered afterwards",
  collect: "they are answered together afterwards",
  interrupt: "they stop me, and I begin anew",
};

const pinnedWords: Readonly<Record<"command" | "configuration", string>> = {
  command: "Pinned: nothing of it is archived. /pin off ends that.",
  configuration: "Pinned by the configuration: nothing of it is archived.",
};

function thinkingLine({ thinking, model }: StatusFacts): string {
  const taken = model.ok ? nearestLevel(thinking, model.value.levels) : thinking;
  const note = taken === thinking ? "" : ` This model does not have that and gets ${taken}.`;
  return `Thinking: ${thinking}.${note}`;
}

function archivedText({ archivedParts }: StatusFacts): string {
  if (archivedParts === 0) return "";
  return ` What is older is archived in ${counted(archivedParts, "part")}; /export has all.`;
}

function historyLine({ history: { tokens, limit, leftOutTurns } }: StatusFacts): string {
  const left = leftOutTurns > 0 ? ` ${counted(leftOutTurns, "older turn")} left out so far.` : "";
  // Room is made with the next request, not before.
  const sent = Math.min(tokens, limit);
  return `Context: the model gets about ${sent} tokens of it; beyond ${limit} the oldest are left out.${left}`;
}

function waitingLines({ waiting, mostWaiting, openQuestions }: StatusFacts): string[] {
  const more = waiting >= mostWaiting ? " or more" : "";
  return [
    ...(waiting > 0 ? [`Waiting: ${counted(waiting, "message")}${more}.`] : []),
    ...(openQuestions > 0
      ? [`Not answered yet: ${counted(openQuestions, "question")} of mine.`]
      : []),
  ];
}

function usageLines(usage: UsageTotals | null): string[] {
  if (!usage) return ["Usage: ask me in a direct chat."];
  const { calls, input, cacheRead, cacheWrite, output } = usage;
  const read = input + cacheRead + cacheWrite;
  return [
    `Usage: ${counted(calls, "model call")}, ${atLeast(usage)}${read} tokens in, ${output} out.`,
    ...unreportedLines(usage),
    `Cost: ${money(usage)}.`,
  ];
}

/** Before a sum that some calls are missing from. */
export function atLeast({ unreported }: Pick<UsageTotals, "unreported">): string {
  return unreported > 0 ? "at least " : "";
}

/** What the sums do not say; none if they are whole. */
export function unreportedLines({ unreported }: Pick<UsageTotals, "unreported">): string[] {
  if (unreported === 0) return [];
  return [`Not reported by the model's server: the tokens of ${counted(unreported, "call")}.`];
}

/** `$0.0123`, or that it is not known. */
export function money({ cost, unreported }: Pick<UsageTotals, "cost" | "unreported">): string {
  if (cost !== null) return `$${cost.toFixed(4)}`;
  return unreported > 0
    ? "not known (not reported by the model's server)"
    : "not known (the price of a model used here is not listed)";
}
