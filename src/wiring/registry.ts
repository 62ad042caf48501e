import type { Channel } from "#contract/channel.ts";
import type { CustomToolConfig } from "#contract/config.ts";
import { whereToSet } from "#contract/fault.ts";
import type { Extension } from "#contract/extension.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { Provider } from "#contract/provider.ts";
import { err, type Result } from "#contract/result.ts";
import type { ConfigProblem, Owner, RuntimeConfig } from "#contract/runtime-config.ts";
import type { Tool } from "#contract/tool.ts";
import type { VectorStore } from "#contract/vector-store.ts";
import { nearest } from "#kit/nearest.ts";
import type { ModelDirectory, ResolvedModel } from "#core/state/ports.ts";
import { variable, type EnvVars } from "./config.ts";
import { chooseModel, type ProviderChoice } from "./model-choice.ts";
import { checkOwners } from "./possible-owners.ts";
import {
  chooseEmbedder,
  chooseVectorStore,
  openVectorStore,
  type EmbedderChoice,
  type OwnVectorPorts,
} from "./memory-choice.ts";
import {
  channelSlots,
  serviceSlot,
  type ChannelStatus,
  type ExtensionStatus,
  type Slot,
} from "./slot.ts";

/**
 * Everything that is plugged in, by id, with the settings of this environment. Ids that clash are a
 * fault of the build and throw; an extension that lacks a key or refuses its settings is off and says
 * why, and never keeps the others from working. Instances are made once per registry.
 */
export interface RegistryInput {
  /** In order of preference: the default is the first provider that has a key, else that needs none. */
  readonly extensions: readonly Extension[];
  readonly customTools: (configs: readonly CustomToolConfig[], ports: ExtensionPorts) => Tool[];
  readonly runtime: RuntimeConfig;
  readonly env: EnvVars;
  readonly ports: ExtensionPorts;
  /** Known when the Worker is built; nothing tells at run time. */
  readonly deployed: boolean;
}

export interface Registry {
  /** Undefined when there is none, it is switched off, or it is not set up. */
  channel(id: string, account: string): Channel | undefined;
  channels(): readonly ChannelStatus[];
  providers(): readonly ExtensionStatus[];
  tools(): readonly Tool[];
  embedder(): EmbedderChoice;
  /** Where vectors of its embedder are searched; undefined = they are not. */
  vectorStore(ports: OwnVectorPorts): VectorStore | undefined;
  /** Id of that store. */
  vectorStoreId(): string | undefined;
  /** Undefined = the configured model, or the default rule. The error is for the person who asked. */
  resolveModel(name?: string): Result<ResolvedModel, string>;
  /** The same for sessions. */
  readonly models: ModelDirectory;
  /** Those in OWNERS that somebody could be. */
  owners(): readonly Owner[];
  /** What is wrong with settings of extensions; belongs beside `RuntimeConfig.problems`. */
  problems(): readonly ConfigProblem[];
}

const registries = new WeakMap<EnvVars, Registry>();

/** One registry per env object: `create` runs once. */
export function registryFor(env: EnvVars, create: () => Registry): Registry {
  const known = registries.get(env);
  if (known) return known;
  const made = create();
  registries.set(env, made);
  return made;
}

const kinds = ["channel", "provider", "tools", "embedder", "vector-store"] as const;

/** Throws when two extensions of a kind share an id, or two tools a name. */
export function createRegistry(input: RegistryInput): Registry {
  const { extensions, runtime } = input;
  for (const kind of kinds) {
    refuseDuplicates(
      kind,
      extensions.filter((each) => each.kind === kind).map(({ id }) => id),
    );
  }
  const channelKinds = extensions.filter((each) => each.kind === "channel");
  const channels = channelKinds.flatMap((each) => channelSlots(each, input));
  const owners = checkOwners(runtime.owners, channelKinds);
  const providers = extensions.flatMap((each) =>
    each.kind === "provider" ? [serviceSlot(each, input)] : [],
  );
  const tools = collectTools(input);
  const memory = memoryParts(input);
  const choices = providers.map((slot) => toChoice(slot, extensions));
  const resolveModel = (name?: string) => {
    if (name !== undefined) return chooseModel(name, choices);
    if (runtime.model !== undefined) {
      return chooseModel(runtime.model, choices, modelSource(input.env));
    }
    const first = defaultProvider(providers);
    return first === undefined
      ? err("No provider of models is set up.")
      : chooseModel(first, choices);
  };
  return {
    channel: (id, account) =>
      channels.find((slot) => slot.id === id && slot.account === account)?.instance,
    channels: () =>
      channels.map(({ id, account, state, missing }) => ({ id, account, state, missing })),
    providers: () =>
      providers.map(({ id, state, missing, note }) => ({
        id,
        state,
        missing,
        ...(note === undefined ? {} : { note }),
      })),
    tools: () => tools.tools,
    ...memory.registry,
    resolveModel,
    models: { resolve: resolveModel, list: () => listModels(choices) },
    owners: () => owners.possible,
    problems: () => [
      ...[...channels, ...providers].flatMap((slot) => slot.problems),
      ...tools.problems,
      ...memory.problems,
      ...unknownChannels(input),
      ...owners.problems,
    ],
  };
}

function memoryParts(input: RegistryInput) {
  const { extensions, ports } = input;
  const choice = chooseEmbedder(
    extensions.filter((each) => each.kind === "embedder"),
    input,
  );
  const { embedder } = choice;
  const stores = extensions.filter((each) => each.kind === "vector-store");
  const store = chooseVectorStore(stores, embedder, input);
  return {
    problems: [...choice.problems, ...store.problems],
    registry: {
      embedder: () => choice,
      vectorStore: (own: OwnVectorPorts) => openVectorStore(store, embedder, { ...ports, ...own }),
      vectorStoreId: () => store.extension?.id,
    },
  };
}

function refuseDuplicates(what: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`two extensions: ${what} "${repeated}"`);
}

/** Where the configured model is written, and so changed. */
function modelSource(env: EnvVars): string {
  return variable(env, "MODEL") === undefined
    ? "It is what models.default in PAGURUS_CONFIG says."
    : `It is what MODEL says; that is changed ${whereToSet("MODEL")}.`;
}

/** A provider that has a key, else the first that needs none; undefined = there is none at all. */
function defaultProvider(slots: readonly Slot<Provider>[]): string | undefined {
  const usable = slots.filter(({ instance }) => instance !== undefined);
  return (usable.find(({ given }) => given) ?? usable[0])?.id;
}

function toChoice(
  { id, instance, missing, note }: Slot<Provider>,
  extensions: readonly Extension[],
): ProviderChoice {
  const extension = extensions.find((each) => each.kind === "provider" && each.id === id);
  const offers = (extension?.kind === "provider" && extension.offers) || [];
  if (instance) return { id, provider: instance, note: "", offers };
  const [variable] = missing;
  if (variable === undefined) {
    return { id, provider: undefined, note: note ?? "its settings are not valid", offers };
  }
  const lack = `set ${missing.join(" and ")}`;
  return { id, provider: undefined, note: note ?? lack, where: whereToSet(variable), offers };
}

/** Models that can be used, then providers that cannot yet, with what they lack. */
function listModels(choices: readonly ProviderChoice[]): ReturnType<ModelDirectory["list"]> {
  const usable = choices.flatMap(({ id, provider }) => {
    if (provider?.models.length === 0) {
      return [{ name: `${id}/…`, usable: true, note: "whatever your server calls it" }];
    }
    const models = provider?.models ?? [];
    return models.map((model) => ({ name: `${id}/${model.id}`, usable: true, note: "" }));
  });
  const others = choices.flatMap(({ id, provider, note }) =>
    provider ? [] : [{ name: id, usable: false, note }],
  );
  return [...usable, ...others];
}

function collectTools(input: RegistryInput): { tools: Tool[]; problems: ConfigProblem[] } {
  const tools = input.extensions.flatMap((each) => (each.kind === "tools" ? each.tools : []));
  refuseDuplicates(
    "tool",
    tools.map(({ name }) => name),
  );
  const taken = new Set(tools.map(({ name }) => name));
  const problems: ConfigProblem[] = [];
  const configs = input.runtime.config.tools.custom.filter(({ name }) => {
    const free = !taken.has(name);
    taken.add(name);
    const message = "there is a tool of this name already; this one is off";
    if (!free) problems.push({ severity: "error", path: `tools.custom "${name}"`, message });
    return free;
  });
  return { tools: [...tools, ...input.customTools(configs, input.ports)], problems };
}

function unknownChannels({ extensions, runtime }: RegistryInput): ConfigProblem[] {
  const known = extensions.filter((each) => each.kind === "channel").map(({ id }) => id);
  return Object.keys(runtime.config.channels).flatMap((id) => {
    if (known.includes(id)) return [];
    const meant = nearest(id, known);
    const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
    const message = `there is no such channel${hint}`;
    return [{ severity: "warning" as const, path: `channels.${id}`, message }];
  });
}
