import { readFileSync } from 'node:fs';
import { formatSuggestion } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { joinPath, type Assignment } from './configuration-layers.js';
import { findKey, readTextValue } from './read-text-values.js';
import type { SectionNode } from './schema-node.js';

const SEPARATOR = '__';
/** Optional prefix of a variable. With it, an unknown section is an error; without it, the variable is ignored. */
const PREFIX = 'countersign';
const FILE_SUFFIX = /_FILE$/i;

/**
 * Reads variables such as `Integrations__EventIngress__Sources__0__Id`, in any letter case. Ignores variables without
 * `__` and those that start with neither a known section nor the prefix.
 */
export function readEnvironment(
  root: SectionNode,
  environment: Readonly<Record<string, string | undefined>>,
  problems: HostProblem[],
): Assignment[] {
  const assignments: Assignment[] = [];
  const seen = new Map<string, string>();
  // A list must be assigned before its items, whatever the order of the variables.
  for (const name of Object.keys(environment).sort(
    (left, right) => left.length - right.length || (left < right ? -1 : 1),
  )) {
    const text = environment[name];
    const segments = toSegments(root, name);
    if (text === undefined || segments === undefined) continue;
    const isFromFile = isFileReference(root, segments);
    const key = isFromFile ? [...segments.slice(0, -1), (segments.at(-1) ?? '').replace(FILE_SUFFIX, '')] : segments;
    const otherVariable = seen.get(joinPath(key).toLowerCase());
    if (otherVariable !== undefined) {
      problems.push({
        code: 'invalid_configuration',
        message: `The environment variables ${otherVariable} and ${name} both set ${joinPath(key)}. Remove one of them.`,
      });
      continue;
    }
    seen.set(joinPath(key).toLowerCase(), name);
    const value = isFromFile ? readReferencedFile(name, text, problems) : text;
    if (value === undefined) continue;
    assignments.push(
      ...readTextValue(
        root,
        { segments: key, text: value, source: 'env', origin: `environment variable ${name}` },
        'anyCase',
        problems,
      ),
    );
  }
  return assignments;
}

/** Returns the files named by variables such as `…__Secret_FILE`. */
export function findReferencedFiles(
  root: SectionNode,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.entries(environment).flatMap(([name, path]) => {
    const segments = toSegments(root, name);
    return path !== undefined && path !== '' && segments !== undefined && isFileReference(root, segments) ? [path] : [];
  });
}

/**
 * Returns warnings about variables whose section is almost a known one. They are likely typos that would otherwise go
 * unnoticed.
 */
export function findVariableWarnings(
  root: SectionNode,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const longSections = [...root.children.keys()].filter((section) => section.length > 4);
  return Object.keys(environment).flatMap((name) => {
    const [first = '', ...rest] = name.split(SEPARATOR);
    if (rest.length === 0 || first.length < 5 || toSegments(root, name) !== undefined) return [];
    const hint = formatSuggestion(first, longSections);
    return hint === ''
      ? []
      : [`The environment variable ${name} is ignored, because there is no section "${first}".${hint}`];
  });
}

function toSegments(root: SectionNode, name: string): string[] | undefined {
  const segments = name.split(SEPARATOR);
  if (segments.length < 2) return undefined;
  const first = (segments[0] ?? '').toLowerCase();
  if (first === PREFIX) return segments.slice(1);
  return [...root.children.keys()].some((section) => section.toLowerCase() === first) ? segments : undefined;
}

/**
 * Returns whether a variable such as `…__Secret_FILE` names a file with the value of `…__Secret`. It does not if a key
 * with the full name exists.
 */
function isFileReference(root: SectionNode, segments: readonly string[]): boolean {
  const last = segments.at(-1) ?? '';
  if (!FILE_SUFFIX.test(last)) return false;
  const found = findKey(root, segments, 'anyCase');
  return 'createProblem' in found;
}

function readReferencedFile(name: string, path: string, problems: HostProblem[]): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    problems.push({
      code: 'invalid_configuration',
      message: `The environment variable ${name} names a file that cannot be read (${reason}): ${path}`,
    });
    return undefined;
  }
}
