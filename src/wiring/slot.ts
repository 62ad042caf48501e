import type { z } from "zod";
import type { Channel, ChannelExtension } from "#contract/channel.ts";
import { channelConfig } from "#contract/config.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { Place } from "#contract/provider.ts";
import type { ConfigProblem, RuntimeConfig } from "#contract/runtime-config.ts";
import { createRedactor } from "#kit/redact.ts";
import type { EnvVars } from "./config.ts";
import { environmentSettings, readSettings, type SettingsReading } from "./settings.ts";

/**
 * One place where an extension may stand: a provider, an embedder, or one account of a channel, with its
 * instance or the reason why there is none. An incomplete channel has one: it can send, but nothing comes in. A
 * factory that throws costs its own slot only.
 */
export interface ExtensionStatus {
  readonly id: string;
  /** `incomplete`: something is set for it, but `missing` is not. `not-configured`: nothing is. */
  readonly state: "ready" | "off" | "not-configured" | "incomplete" | "invalid";
  /** Environment variables (or settings) without which it does not work. */
  readonly missing: readonly string[];
  /** Why it does not work when no setting would help. */
  readonly note?: string;
}

export interface ChannelStatus extends ExtensionStatus {
  readonly account: string;
}

export interface Slot<Instance> extends ExtensionStatus {
  readonly account: string;
  readonly instance: Instance | undefined;
  /** Was anything set for it, or does it run on defaults alone? */
  readonly given: boolean;
  readonly problems: readonly ConfigProblem[];
}

export interface SlotInput {
  readonly deployed: boolean;
  readonly runtime: Pick<RuntimeConfig, "config">;
  readonly env: EnvVars;
  readonly ports: ExtensionPorts;
}

/** The account "default" always, the others as the document names them. */
export function channelSlots(extension: ChannelExtension, input: SlotInput): Slot<Channel>[] {
  const { id, environment } = extension;
  const { enabled, accounts } = channelConfig(input.runtime.config, id);
  const names = new Set(["default", ...Object.keys(accounts)]);
  return [...names].map((account) => {
    if (!enabled) {
      const off = { instance: undefined, given: false, missing: [], problems: [] };
      return { id, account, state: "off" as const, ...off };
    }
    const path = `channels.${id}.accounts.${account}`;
    const isDefault = account === "default";
    const variables = isDefault ? environmentSettings(environment, input.env) : {};
    const source = isDefault
      ? extension
      : { ...extension, environment: inDocument(extension, path) };
    const reading = readSettings(source, { ...accounts[account], ...variables }, path);
    return openSlot({ id, account, path }, reading, (settings) =>
      extension.create(account, settings, input.ports),
    );
  });
}

/** Variables are the default account's: what others lack is named by its place in the document. */
function inDocument({ environment }: ChannelExtension, path: string): Record<string, string> {
  return Object.fromEntries(Object.keys(environment).map((name) => [name, `${path}.${name}`]));
}

/** A provider or an embedder: one of each, with its settings from variables. */
interface ServiceExtension<Instance> {
  readonly id: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: z.ZodType;
  obstacle?(place: Place): string | undefined;
  create(settings: unknown, ports: ExtensionPorts): Instance;
}

export function serviceSlot<Instance>(
  extension: ServiceExtension<Instance>,
  input: SlotInput,
): Slot<Instance> {
  const { id, environment } = extension;
  const reading = readSettings(extension, environmentSettings(environment, input.env), id);
  const note = extension.obstacle?.(input);
  if (note !== undefined) return closedSlot(id, note, reading);
  return openSlot({ id, account: "default", path: id }, reading, (settings) =>
    extension.create(settings, input.ports),
  );
}

/** No setting would help. */
function closedSlot(id: string, note: string, reading: SettingsReading<unknown>): Slot<never> {
  const { given, problems } = reading;
  const closed = { state: "not-configured", missing: [], instance: undefined } as const;
  return { id, account: "default", ...closed, note, given, problems };
}

function openSlot<Instance>(
  place: { readonly id: string; readonly account: string; readonly path: string },
  reading: SettingsReading<unknown>,
  create: (settings: unknown) => Instance,
): Slot<Instance> {
  const { id, account } = place;
  const { problems } = reading;
  if (!reading.ok) {
    const invalid = problems.some((problem) => problem.severity === "error");
    const { missing, given } = reading;
    const state = invalid ? "invalid" : given ? "incomplete" : "not-configured";
    return { id, account, state, missing, instance: undefined, given, problems };
  }
  const { given, missing } = reading;
  try {
    const instance = create(reading.settings);
    const state = missing.length > 0 ? "incomplete" : "ready";
    return { id, account, state, missing, instance, given, problems };
  } catch (error) {
    const message = `${describe(error, reading.settings)}; it is off`;
    const fault: ConfigProblem = { severity: "error", path: place.path, message };
    const all = [...problems, fault];
    return {
      id,
      account,
      state: "invalid",
      missing: [],
      instance: undefined,
      given,
      problems: all,
    };
  }
}

/** What a factory complains about may contain the very key it was given. */
function describe(error: unknown, settings: unknown): string {
  const values = typeof settings === "object" && settings !== null ? Object.values(settings) : [];
  const texts = values.filter((value) => typeof value === "string");
  return createRedactor(texts).describeError(error);
}
