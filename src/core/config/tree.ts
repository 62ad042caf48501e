/**
 * Small helpers over a document of unknown shape: paths as people write them, and looking up or
 * removing what stands at a path. Nothing here knows the schema.
 */
export type DocumentPath = readonly PropertyKey[];
export type Branch = Record<PropertyKey, unknown>;

/** `tools.custom[0].headers.X-Key`. */
export function formatPath(path: DocumentPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/** A plain object, of which the own properties are looked at only. */
export function isBranch(value: unknown): value is Branch {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(root: unknown, path: DocumentPath): unknown {
  return path.reduce<unknown>((node, step) => {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return undefined;
    return (node as Branch)[step];
  }, root);
}

/** Removes one key; nothing happens when it is not there. */
export function removeKey(root: unknown, path: DocumentPath, key: PropertyKey): void {
  const parent = valueAt(root, path);
  if (isBranch(parent)) Reflect.deleteProperty(parent, key);
}

/** Every string in a tree, with its path. */
export function* strings(
  node: unknown,
  path: DocumentPath = [],
): Generator<{ readonly path: DocumentPath; readonly text: string }> {
  if (typeof node === "string") yield { path, text: node };
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    yield* strings(value, [...path, Array.isArray(node) ? Number(key) : key]);
  }
}
