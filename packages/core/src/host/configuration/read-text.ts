import { isSafeKey } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { coerceText } from './coerce-text.js';
import { keyOf, type Assignment, type CommandLineValue, type ConfigurationSource } from './layers.js';
import { readNode } from './read-values.js';
import type { SchemaNode, SectionNode } from './schema-node.js';
import { unknownKey } from './unknown-key.js';

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
    readText(
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

/** Reads a value given as text: finds its key and converts the text to the type of the schema. */
export function readText(
  root: SectionNode,
  { segments, text, source, origin }: TextValue,
  match: Match,
  problems: HostProblem[],
): Assignment[] {
  const found = findKey(root, segments, match);
  if ('unknown' in found) {
    problems.push(found.unknown(origin));
    return [];
  }
  const coerced = coerceText(found.node, text);
  if ('problem' in coerced) {
    problems.push({
      code: 'invalid_configuration',
      message: `${keyOf(found.path)} is wrong (${origin}): ${coerced.problem}`,
    });
    return [];
  }
  const assignments: Assignment[] = [];
  readNode(found.node, coerced.value, found.path, { source, origin }, assignments, problems);
  return assignments;
}

/** How the case of keys is matched. Environments often allow or require upper case. */
export type Match = 'exact' | 'anyCase';

type Found =
  | { readonly node: SchemaNode; readonly path: readonly string[] }
  | { readonly unknown: (origin: string) => HostProblem };

/** Follows segments from the root. The returned path has the spelling of the schema. */
export function findKey(root: SectionNode, segments: readonly string[], match: Match): Found {
  let node: SchemaNode = root;
  const path: string[] = [];
  for (const segment of segments) {
    const next = step(node, segment, match);
    if (next === undefined) {
      const written = [...path, segment];
      const section = node;
      return {
        unknown: (origin) =>
          section.kind === 'section' ? unknownKey(section, written, origin) : noSubKey(section, path, segment, origin),
      };
    }
    path.push(next.key);
    node = next.node;
  }
  return { node, path };
}

/** Returns the child of a node, with its key as spelled in the schema. */
function step(node: SchemaNode, segment: string, match: Match): { key: string; node: SchemaNode } | undefined {
  switch (node.kind) {
    case 'section': {
      const key =
        match === 'exact'
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

function noSubKey(node: SchemaNode, path: readonly string[], segment: string, origin: string): HostProblem {
  const reason =
    node.kind === 'list'
      ? `is a list with items numbered from 0; "${segment}" is not an index`
      : `is a value and has no key "${segment}"`;
  return { code: 'unknown_configuration_key', message: `${keyOf(path)} ${reason} (${origin}).` };
}
