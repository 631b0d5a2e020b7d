import { dirname, resolve } from 'node:path';
import { isJsonObject } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { keyOf, type Assignment, type ConfigurationSource } from './layers.js';
import type { SchemaNode, SectionNode } from './schema-node.js';
import { unknownKey } from './unknown-key.js';

export interface ValuesOrigin {
  readonly source: ConfigurationSource;
  readonly origin: string;
  /** Base directory of relative paths. */
  readonly directory?: string;
}

/** Reads a layer given as an object (file, defaults, overrides). Every key must be known in its exact spelling. */
export function readValues(
  root: SectionNode,
  values: unknown,
  from: ValuesOrigin,
  problems: HostProblem[],
): Assignment[] {
  const assignments: Assignment[] = [];
  readNode(root, values, [], from, assignments, problems);
  return assignments;
}

/** Reads the values of the configuration file. */
export function readFileValues(
  root: SectionNode,
  file: { path: string; content: unknown },
  problems: HostProblem[],
): Assignment[] {
  return readValues(
    root,
    file.content,
    { source: 'file', origin: `file ${file.path}`, directory: dirname(file.path) },
    problems,
  );
}

/** Reads the values under `path`. */
export function readNode(
  node: SchemaNode,
  value: unknown,
  path: readonly string[],
  from: ValuesOrigin,
  assignments: Assignment[],
  problems: HostProblem[],
): void {
  // A YAML key without a value is parsed as null.
  if (value === undefined || value === null) return;
  if (node.kind !== 'section') {
    assignments.push({
      path,
      value: absolute(node, value, path, from, problems),
      source: from.source,
      origin: from.origin,
    });
    return;
  }
  if (!isJsonObject(value)) {
    problems.push({
      code: 'invalid_configuration',
      message: `${path.length === 0 ? 'The configuration' : keyOf(path)} must be a section with keys of its own (${from.origin}).`,
    });
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    const known = node.children.get(key);
    if (known === undefined) problems.push(unknownKey(node, [...path, key], from.origin));
    else readNode(known, child, [...path, key], from, assignments, problems);
  }
}

/** Checks the keys inside lists and maps, and resolves relative paths. */
function absolute(
  node: SchemaNode,
  value: unknown,
  path: readonly string[],
  from: ValuesOrigin,
  problems: HostProblem[],
): unknown {
  switch (node.kind) {
    case 'value':
      return node.mark === 'path' && typeof value === 'string' && value !== ''
        ? resolve(from.directory ?? '', value)
        : value;
    case 'list':
      if (Array.isArray(value))
        return value.map((item, index) => absolute(node.item, item, [...path, String(index)], from, problems));
      return node.alsoSingle ? absolute(node.item, value, path, from, problems) : value;
    case 'map':
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, absolute(node.value, item, [...path, key], from, problems)]),
      );
    case 'section': {
      if (!isJsonObject(value)) return value;
      const known: [string, unknown][] = [];
      for (const [key, item] of Object.entries(value)) {
        const child = node.children.get(key);
        if (child === undefined) problems.push(unknownKey(node, [...path, key], from.origin));
        else known.push([key, absolute(child, item, [...path, key], from, problems)]);
      }
      return Object.fromEntries(known);
    }
  }
}
