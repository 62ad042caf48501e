import { err, ok, type Result } from "#contract/result.ts";
import type { Provider } from "#contract/provider.ts";
import { nearest } from "#kit/nearest.ts";
import type { ResolvedModel } from "#core/state/ports.ts";

/**
 * From what a person or an operator writes to a model: `provider/model` (everything behind the first
 * slash is the model's), a provider alone, or part of a known model's name ("opus"). With a provider
 * named, the model id is passed on as it is, known or not; without one, only known models match.
 * Errors are sentences for whoever asked; commands of a chat are named by who knows that there is one.
 */
export interface ProviderChoice {
  readonly id: string;
  /** Undefined while it is not set up; then `note` says what is missing. */
  readonly provider: Provider | undefined;
  readonly note: string;
  /** Where what `note` names is set. */
  readonly where?: string;
  /** Ids of models it has once it is set up. */
  readonly offers: readonly string[];
}

/** `source`: where an operator wrote it, told with a name that means nothing. */
export function chooseModel(
  text: string,
  choices: readonly ProviderChoice[],
  source = "",
): Result<ResolvedModel, string> {
  const wanted = text.trim();
  const slash = wanted.indexOf("/");
  const named = slash < 0 ? wanted : wanted.slice(0, slash);
  const choice = choices.find(({ id }) => id === named.trim().toLowerCase());
  if (choice) return choose(choice, slash < 0 ? "" : wanted.slice(slash + 1).trim());
  const found = bestMatch(wanted, choices.flatMap(knownModels));
  if (found) return choose(found.choice, found.model);
  return err(`${unknownModel(wanted, choices)}${source === "" ? "" : ` ${source}`}`);
}

/** What was probably meant, and how a model that is in no list is asked for. */
function unknownModel(wanted: string, choices: readonly ProviderChoice[]): string {
  const shown = wanted.slice(0, 80);
  const known = choices.flatMap(knownModels);
  const absent = choices.flatMap(absentModels);
  const meant = bestMatch(wanted, absent);
  if (meant) return `"${shown}" would be ${meant.name}, but ${notSetUp(meant.choice)}.`;
  const all = [...known, ...absent];
  const related = relatives(wanted, all);
  const first = related[0];
  if (first) {
    const missing = first.choice.provider ? "" : ` (${notSetUp(first.choice)})`;
    return `I know no model "${shown}". Close to it: ${related.map(({ name }) => name).join(", ")}${missing}. If there is one of that name, say whose it is: ${first.choice.id}/${shown}.`;
  }
  const spelling = nearest(wanted, [
    ...all.flatMap(({ name, model }) => [name, model, ...words(name)]),
    ...choices.map(({ id }) => id),
  ]);
  const hint = spelling === undefined ? "" : ` Did you mean "${spelling}"?`;
  return `I know no model "${shown}".${hint} One that I do not know is asked for with its provider, as provider/name.`;
}

function choose(choice: ProviderChoice, model: string): Result<ResolvedModel, string> {
  const { id, provider } = choice;
  if (!provider) return err(`${notSetUp(choice)}.`);
  const info = provider.describe(model === "" ? provider.defaultModel : model);
  return ok({ name: `${id}/${info.id}`, provider, info });
}

/** Part of a sentence. */
function notSetUp({ id, note, where }: ProviderChoice): string {
  return `${id} is not set up: ${note}${where === undefined ? "" : ` (${where})`}`;
}

interface KnownModel {
  readonly choice: ProviderChoice;
  readonly model: string;
  readonly name: string;
}

function knownModels(choice: ProviderChoice): KnownModel[] {
  return (choice.provider?.models ?? []).map(({ id }) => ({
    choice,
    model: id,
    name: `${choice.id}/${id}`,
  }));
}

/** Those of a provider that is not set up. */
function absentModels(choice: ProviderChoice): KnownModel[] {
  if (choice.provider) return [];
  return choice.offers.map((model) => ({ choice, model, name: `${choice.id}/${model}` }));
}

/** Up to three models with a word in common ("gpt"), those with the most first. */
function relatives(wanted: string, models: readonly KnownModel[]): KnownModel[] {
  const asked = words(wanted).filter((word) => /\p{L}{3}/u.test(word));
  const common = ({ name }: KnownModel) =>
    words(name).filter((word) => asked.includes(word)).length;
  return models
    .filter((model) => common(model) > 0)
    .toSorted((one, other) => common(other) - common(one))
    .slice(0, 3);
}

/** The closest kind of match wins; among equals the first in the providers' own order. */
function bestMatch(wanted: string, known: readonly KnownModel[]): KnownModel | undefined {
  const ranked = known.map((candidate) => ({ candidate, rank: matchRank(wanted, candidate) }));
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return best === Infinity ? undefined : ranked.find(({ rank }) => rank === best)?.candidate;
}

function matchRank(wanted: string, { model, name }: KnownModel): number {
  const text = wanted.toLowerCase();
  const asked = words(wanted);
  if (asked.length === 0) return Infinity;
  if (model.toLowerCase() === text) return 0;
  const there = words(name);
  if (asked.every((word) => there.includes(word))) return 1;
  if (squeeze(model).startsWith(squeeze(text))) return 2;
  return squeeze(name).includes(squeeze(text)) ? 3 : Infinity;
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function squeeze(text: string): string {
  return words(text).join("");
}
