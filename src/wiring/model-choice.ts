import { err, ok, type Result } from "#contract/result.ts";
import type { Provider } from "#contract/provider.ts";
import { nearest } from "#core/config/nearest.ts";
import type { ResolvedModel } from "#core/state/ports.ts";

/**
 * From what a person or an operator writes to a model: `provider/model` (everything behind the first
 * slash is the model's), a provider alone, or part of a known model's name ("opus"). With a provider
 * named, the model id is passed on as it is, known or not; without one, only known models match.
 * Errors are sentences for whoever asked.
 */
export interface ProviderChoice {
  readonly id: string;
  /** Undefined while it is not set up; then `note` says what is missing. */
  readonly provider: Provider | undefined;
  readonly note: string;
}

export function chooseModel(
  text: string,
  choices: readonly ProviderChoice[],
): Result<ResolvedModel, string> {
  const wanted = text.trim();
  const slash = wanted.indexOf("/");
  const named = slash < 0 ? wanted : wanted.slice(0, slash);
  const choice = choices.find(({ id }) => id === named.trim().toLowerCase());
  if (choice) return choose(choice, slash < 0 ? "" : wanted.slice(slash + 1).trim());
  const known = choices.flatMap(knownModels);
  const found = bestMatch(wanted, known);
  if (found) return choose(found.choice, found.model);
  const names = known.map(({ name }) => name);
  const meant = nearest(wanted, [
    ...names,
    ...names.flatMap(words),
    ...choices.map(({ id }) => id),
  ]);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return err(`There is no model "${wanted.slice(0, 80)}".${hint} /models lists what is there.`);
}

function choose(choice: ProviderChoice, model: string): Result<ResolvedModel, string> {
  const { id, provider, note } = choice;
  if (!provider) return err(`${id} is not set up: ${note}.`);
  const info = provider.describe(model === "" ? provider.defaultModel : model);
  return ok({ name: `${id}/${info.id}`, provider, info });
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
