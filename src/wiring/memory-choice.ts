import type { Embedder, EmbedderExtension } from "#contract/embedder.ts";
import { whereToSet } from "#contract/fault.ts";
import type { ConfigProblem } from "#contract/runtime-config.ts";
import type {
  VectorShape,
  VectorStore,
  VectorStoreExtension,
  VectorStorePorts,
} from "#contract/vector-store.ts";
import { nearest } from "#kit/nearest.ts";
import { variable } from "./config.ts";
import { serviceSlot, type SlotInput } from "./slot.ts";

/**
 * Which embedder a memory has, and where its vectors are searched. What was named by the operator and
 * does not work is a problem that is told; what was only the default steps back in silence, and
 * searches go by keywords.
 */
export interface EmbedderChoice {
  /** Undefined = keywords only. */
  readonly embedder: Embedder | undefined;
  /** The operator named it: then people are told when it fails. */
  readonly explicit: boolean;
  /** Why there is none although one was named: part of a notice. */
  readonly note: string | undefined;
  readonly problems: readonly ConfigProblem[];
}

const setting = "EMBEDDER";

export function chooseEmbedder(
  extensions: readonly EmbedderExtension[],
  input: SlotInput,
): EmbedderChoice {
  const name = variable(input.env, setting)?.toLowerCase();
  if (name === undefined) return defaultEmbedder(extensions, input);
  if (name === "none")
    return { embedder: undefined, explicit: true, note: undefined, problems: [] };
  const extension = extensions.find(({ id }) => id === name);
  if (!extension) return refused(unknownName(name, extensions));
  const { instance, missing, note, problems } = serviceSlot(extension, input);
  if (instance) return { embedder: instance, explicit: true, note: undefined, problems };
  const [first] = missing;
  const lack =
    first === undefined ? undefined : `set ${missing.join(" and ")} ${whereToSet(first)}`;
  return refused(
    `${name} does not work: ${note ?? lack ?? "its settings are not valid"}`,
    problems,
  );
}

/** The first that works here by itself: a key that is there for models is not spent unasked. */
function defaultEmbedder(
  extensions: readonly EmbedderExtension[],
  input: SlotInput,
): EmbedderChoice {
  const keyless = extensions.filter(({ environment }) => Object.keys(environment).length === 0);
  const works = keyless.find((extension) => serviceSlot(extension, input).instance !== undefined);
  const embedder = works && serviceSlot(works, input).instance;
  return { embedder, explicit: false, note: undefined, problems: [] };
}

function refused(note: string, problems: readonly ConfigProblem[] = []): EmbedderChoice {
  const message = `${note}; memory is searched by keywords only`;
  const problem: ConfigProblem = { severity: "error", path: setting, message };
  return { embedder: undefined, explicit: true, note, problems: [...problems, problem] };
}

function unknownName(name: string, extensions: readonly EmbedderExtension[]): string {
  const ids = [...extensions.map(({ id }) => id), "none"];
  const meant = nearest(name, ids);
  const hint = meant === undefined ? `it is one of ${ids.join(", ")}` : `did you mean "${meant}"?`;
  return `there is no embedder "${name.slice(0, 40)}"; ${hint}`;
}

export interface VectorStoreChoice {
  /** Undefined = vectors are not searched. */
  readonly extension: VectorStoreExtension | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** The one that is named, or the first that fits. */
export function chooseVectorStore(
  extensions: readonly VectorStoreExtension[],
  embedder: VectorShape | undefined,
  input: SlotInput,
): VectorStoreChoice {
  const name = input.runtime.config.memory.vectors;
  if (!embedder || name === "none") return { extension: undefined, problems: [] };
  const reason = (extension: VectorStoreExtension) => extension.unfit?.(embedder, input.ports);
  const first = extensions.find((extension) => reason(extension) === undefined);
  if (name === "auto") return { extension: first, problems: [] };
  const named = extensions.find(({ id }) => id === name);
  const obstacle = named ? reason(named) : "there is no such store";
  if (obstacle === undefined) return { extension: named, problems: [] };
  const message = `${obstacle}; ${first?.id ?? "none"} is used`;
  const problem: ConfigProblem = { severity: "error", path: "memory.vectors", message };
  return { extension: first, problems: [problem] };
}

/** What only the object that holds a memory can give. */
export type OwnVectorPorts = Pick<VectorStorePorts, "namespace" | "packed" | "notes">;

export function openVectorStore(
  { extension }: VectorStoreChoice,
  embedder: VectorShape | undefined,
  ports: VectorStorePorts,
): VectorStore | undefined {
  return embedder && extension?.create(embedder, ports);
}
