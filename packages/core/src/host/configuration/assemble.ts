import { isJsonObject } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { keyOf, type Assignment, type ConfigurationSource } from './layers.js';
import type { SchemaNode, SectionNode } from './schema-node.js';

export interface ValueOrigin {
  readonly source: ConfigurationSource;
  /** Display text. */
  readonly origin: string;
  /** Key of the saved setting, if the value is one. */
  readonly saved?: string;
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
export function assemble(
  root: SectionNode,
  assignments: readonly Assignment[],
  problems: HostProblem[],
): RawConfiguration {
  const raw: RawConfiguration = { values: {}, origins: new Map() };
  for (const assignment of assignments) assign(root, raw, assignment);
  findHoles(raw.values, [], problems);
  return raw;
}

/** Applies one assignment on top of the present values. */
export function assign(root: SectionNode, { values, origins }: RawConfiguration, assignment: Assignment): void {
  const { path, source, origin, saved } = assignment;
  set(values, root, assignment);
  for (const key of origins.keys()) if (key.startsWith(`${keyOf(path)}:`)) origins.delete(key);
  origins.set(keyOf(path), { source, origin, ...(saved === undefined ? {} : { saved }) });
}

function set(values: Record<string, unknown>, root: SectionNode, { path, value }: Assignment): void {
  let node: SchemaNode | undefined = root;
  let target: Record<string, unknown> | unknown[] = values;
  for (const [index, segment] of path.entries()) {
    node = childOf(node, segment);
    const slot = target as Record<string, unknown>;
    if (index === path.length - 1) {
      slot[segment] = structuredCopy(value);
      return;
    }
    slot[segment] = container(node, slot[segment]);
    target = slot[segment] as Record<string, unknown> | unknown[];
  }
}

/** Reports missing list indexes. Items may be set in any order, but without gaps. */
function findHoles(value: unknown, path: readonly string[], problems: HostProblem[]): void {
  if (Array.isArray(value)) {
    const hole = Array.from(value.keys()).find((index) => !(index in value));
    if (hole !== undefined) {
      problems.push({
        code: 'invalid_configuration',
        message: `${keyOf(path)} has an item ${value.length - 1} but no item ${hole}.`,
      });
      value.length = hole; // otherwise each missing item would be reported too
    }
  }
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlain(value))) return;
  for (const [key, item] of Object.entries(value)) findHoles(item, [...path, key], problems);
}

/** Returns the present value as an object or list that keys or items can be added to. */
function container(node: SchemaNode | undefined, present: unknown): Record<string, unknown> | unknown[] {
  if (node?.kind === 'list') {
    if (Array.isArray(present)) return present;
    return present === undefined ? [] : [present];
  }
  return isJsonObject(present) ? present : {};
}

function childOf(node: SchemaNode | undefined, segment: string): SchemaNode | undefined {
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

function isPlain(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** Copies lists and objects, so that a later layer does not change those of an earlier layer. */
function structuredCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, structuredCopy(item)]));
  }
  return value;
}
