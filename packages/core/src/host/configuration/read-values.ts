import { dirname, resolve } from 'node:path';
import { isJsonObject } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { joinPath, type Assignment, type ConfigurationSource } from './configuration-layers.js';
import type { SchemaNode, SectionNode } from './schema-node.js';
import { createUnknownKeyProblem } from './create-unknown-key-problem.js';

export interface ValuesOrigin {
  readonly source: ConfigurationSource;
  readonly origin: string;
  /** Base directory of relative paths. */
  readonly directory?: string;
}

/** Reads a layer that is an object (file, defaults, overrides). Each key must be spelled exactly as in the schema. */
export function readValues(
  root: SectionNode,
  values: unknown,
  valuesOrigin: ValuesOrigin,
  problems: HostProblem[],
): Assignment[] {
  const assignments: Assignment[] = [];
  readNode(root, values, [], valuesOrigin, assignments, problems);
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
  valuesOrigin: ValuesOrigin,
  assignments: Assignment[],
  problems: HostProblem[],
): void {
  // A YAML key without a value is parsed as null.
  if (value === undefined || value === null) return;
  if (node.kind !== 'section') {
    assignments.push({
      path,
      value: resolvePaths(node, value, path, valuesOrigin, problems),
      source: valuesOrigin.source,
      origin: valuesOrigin.origin,
    });
    return;
  }
  if (!isJsonObject(value)) {
    problems.push({
      code: 'invalid_configuration',
      message: `${path.length === 0 ? 'The configuration' : joinPath(path)} must be a section that contains keys (${valuesOrigin.origin}).`,
    });
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    const childNode = node.children.get(key);
    if (childNode === undefined) problems.push(createUnknownKeyProblem(node, [...path, key], valuesOrigin.origin));
    else readNode(childNode, child, [...path, key], valuesOrigin, assignments, problems);
  }
}

/** Checks the keys inside lists and maps, and resolves relative paths. */
function resolvePaths(
  node: SchemaNode,
  value: unknown,
  path: readonly string[],
  valuesOrigin: ValuesOrigin,
  problems: HostProblem[],
): unknown {
  switch (node.kind) {
    case 'value':
      return node.mark === 'path' && typeof value === 'string' && value !== ''
        ? resolve(valuesOrigin.directory ?? '', value)
        : value;
    case 'list':
      if (Array.isArray(value))
        return value.map((item, index) =>
          resolvePaths(node.item, item, [...path, String(index)], valuesOrigin, problems),
        );
      return node.acceptsSingleItem ? resolvePaths(node.item, value, path, valuesOrigin, problems) : value;
    case 'map':
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          resolvePaths(node.value, item, [...path, key], valuesOrigin, problems),
        ]),
      );
    case 'section': {
      if (!isJsonObject(value)) return value;
      const resolvedEntries: [string, unknown][] = [];
      for (const [key, item] of Object.entries(value)) {
        const child = node.children.get(key);
        if (child === undefined) problems.push(createUnknownKeyProblem(node, [...path, key], valuesOrigin.origin));
        else resolvedEntries.push([key, resolvePaths(child, item, [...path, key], valuesOrigin, problems)]);
      }
      return Object.fromEntries(resolvedEntries);
    }
  }
}
