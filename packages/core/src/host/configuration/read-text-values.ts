import { isSafeKey } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { coerceText } from './coerce-text.js';
import { joinPath, type Assignment, type CommandLineValue, type ConfigurationSource } from './configuration-layers.js';
import { readNode } from './read-values.js';
import type { SchemaNode, SectionNode } from './schema-node.js';
import { createUnknownKeyProblem } from './create-unknown-key-problem.js';

interface TextValue {
  readonly segments: readonly string[];
  readonly text: string;
  readonly source: ConfigurationSource;
  readonly origin: string;
}

/** Reads `--set Key:Sub=value`, `--port` and similar options. */
export function readCommandLine(
  root: SectionNode,
  values: readonly CommandLineValue[],
  problems: HostProblem[],
): Assignment[] {
  return values.flatMap(({ key, value, option }) =>
    readTextValue(
      root,
      {
        segments: key.split(':'),
        text: value,
        source: 'commandLine',
        origin: `command line, ${option ?? `--set ${key}`}`,
      },
      'exact',
      problems,
    ),
  );
}

/** Reads a text value: finds its key and converts the text to the type of the schema. */
export function readTextValue(
  root: SectionNode,
  { segments, text, source, origin }: TextValue,
  keyMatching: KeyMatching,
  problems: HostProblem[],
): Assignment[] {
  const lookup = findKey(root, segments, keyMatching);
  if ('createProblem' in lookup) {
    problems.push(lookup.createProblem(origin));
    return [];
  }
  const coerced = coerceText(lookup.node, text);
  if ('problem' in coerced) {
    problems.push({
      code: 'invalid_configuration',
      message: `${joinPath(lookup.path)} is wrong (${origin}): ${coerced.problem}`,
    });
    return [];
  }
  const assignments: Assignment[] = [];
  readNode(lookup.node, coerced.value, lookup.path, { source, origin }, assignments, problems);
  return assignments;
}

/** Whether the letter case of keys must match. Environment variables are often written in upper case. */
export type KeyMatching = 'exact' | 'anyCase';

type KeyLookup =
  | { readonly node: SchemaNode; readonly path: readonly string[] }
  | { readonly createProblem: (origin: string) => HostProblem };

/** Finds the node at a path of segments. The returned path is spelled as in the schema. */
export function findKey(root: SectionNode, segments: readonly string[], keyMatching: KeyMatching): KeyLookup {
  let node: SchemaNode = root;
  const path: string[] = [];
  for (const segment of segments) {
    const next = findChild(node, segment, keyMatching);
    if (next === undefined) {
      const fullPath = [...path, segment];
      const section = node;
      return {
        createProblem: (origin) =>
          section.kind === 'section'
            ? createUnknownKeyProblem(section, fullPath, origin)
            : noSubKeyProblem(section, path, segment, origin),
      };
    }
    path.push(next.key);
    node = next.node;
  }
  return { node, path };
}

/** Returns the child of a node, with its key as spelled in the schema. */
function findChild(
  node: SchemaNode,
  segment: string,
  keyMatching: KeyMatching,
): { key: string; node: SchemaNode } | undefined {
  switch (node.kind) {
    case 'section': {
      const key =
        keyMatching === 'exact'
          ? segment
          : [...node.children.keys()].find((known) => known.toLowerCase() === segment.toLowerCase());
      const child = key === undefined ? undefined : node.children.get(key);
      return key === undefined || child === undefined ? undefined : { key, node: child };
    }
    case 'list':
      return /^\d{1,4}$/.test(segment) ? { key: String(Number(segment)), node: node.item } : undefined;
    case 'map':
      return segment === '' || !isSafeKey(segment) ? undefined : { key: segment, node: node.value };
    case 'value':
      return undefined;
  }
}

function noSubKeyProblem(node: SchemaNode, path: readonly string[], segment: string, origin: string): HostProblem {
  const reason =
    node.kind === 'list'
      ? `is a list with items numbered from 0; "${segment}" is not an index`
      : `is a value and has no key "${segment}"`;
  return { code: 'unknown_configuration_key', message: `${joinPath(path)} ${reason} (${origin}).` };
}
