import { isJsonObject } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { joinPath, type Assignment, type ConfigurationSource } from './configuration-layers.js';
import type { SchemaNode, SectionNode } from './schema-node.js';

export interface ValueOrigin {
  readonly source: ConfigurationSource;
  /** Display text, for example `environment variable Server__Port`. */
  readonly origin: string;
  /** Key of the saved setting, if the value is one. */
  readonly savedKey?: string;
}

/** The merged layers, not yet parsed. */
export interface RawConfiguration {
  readonly values: Record<string, unknown>;
  /** Origin of the last assignment to each key. */
  readonly origins: Map<string, ValueOrigin>;
}

/**
 * Applies assignments in ascending precedence. A list or a value replaces the previous one; an assignment to a list
 * item changes only that item.
 */
export function assembleConfiguration(
  root: SectionNode,
  assignments: readonly Assignment[],
  problems: HostProblem[],
): RawConfiguration {
  const raw: RawConfiguration = { values: {}, origins: new Map() };
  for (const assignment of assignments) applyAssignment(root, raw, assignment);
  reportMissingItems(raw.values, [], problems);
  return raw;
}

/** Applies one assignment on top of the current values. */
export function applyAssignment(
  root: SectionNode,
  { values, origins }: RawConfiguration,
  assignment: Assignment,
): void {
  const { path, source, origin, savedKey } = assignment;
  setValue(values, root, assignment);
  for (const key of origins.keys()) if (key.startsWith(`${joinPath(path)}:`)) origins.delete(key);
  origins.set(joinPath(path), { source, origin, ...(savedKey === undefined ? {} : { savedKey }) });
}

function setValue(values: Record<string, unknown>, root: SectionNode, { path, value }: Assignment): void {
  let node: SchemaNode | undefined = root;
  let target: Record<string, unknown> | unknown[] = values;
  for (const [index, segment] of path.entries()) {
    node = childNode(node, segment);
    const container = target as Record<string, unknown>;
    if (index === path.length - 1) {
      container[segment] = deepCopy(value);
      return;
    }
    container[segment] = ensureContainer(node, container[segment]);
    target = container[segment] as Record<string, unknown> | unknown[];
  }
}

/** Reports missing list indexes. Items may be set in any order, but without gaps. */
function reportMissingItems(value: unknown, path: readonly string[], problems: HostProblem[]): void {
  if (Array.isArray(value)) {
    const missingIndex = Array.from(value.keys()).find((index) => !(index in value));
    if (missingIndex !== undefined) {
      problems.push({
        code: 'invalid_configuration',
        message: `${joinPath(path)} has an item ${value.length - 1} but no item ${missingIndex}.`,
      });
      value.length = missingIndex; // otherwise parsing would report each missing item, too
    }
  }
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlainObject(value))) return;
  for (const [key, item] of Object.entries(value)) reportMissingItems(item, [...path, key], problems);
}

/** Returns the existing value as an object or list to which keys or items can be added. */
function ensureContainer(node: SchemaNode | undefined, existing: unknown): Record<string, unknown> | unknown[] {
  if (node?.kind === 'list') {
    if (Array.isArray(existing)) return existing;
    return existing === undefined ? [] : [existing];
  }
  return isJsonObject(existing) ? existing : {};
}

function childNode(node: SchemaNode | undefined, segment: string): SchemaNode | undefined {
  switch (node?.kind) {
    case 'section':
      return node.children.get(segment);
    case 'list':
      return node.item;
    case 'map':
      return node.value;
    default:
      return undefined;
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** Copies lists and objects, so that a later layer does not change those of an earlier layer. */
function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (isPlainObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepCopy(item)]));
  }
  return value;
}
