import type { z } from 'zod';
import { isJsonObject } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { applySaved, findDuplicateNames } from './apply-saved.js';
import { assemble, type RawConfiguration } from './assemble.js';
import { configurationView, originOf, type ConfigurationView } from './configuration-view.js';
import { keyOf, type ConfigurationLayers } from './layers.js';
import { readEnvironment, suspiciousVariables } from './read-environment.js';
import { readCommandLine } from './read-text.js';
import { readFileValues, readValues } from './read-values.js';
import type { SchemaNode, SectionNode } from './schema-node.js';
import { schemaTree, type ConfigurationPart } from './schema-tree.js';

export interface ResolvedConfiguration {
  /** The parsed part of each owner; missing if it is invalid. */
  readonly parsed: ReadonlyMap<string, unknown>;
  readonly view: ConfigurationView;
  readonly problems: readonly HostProblem[];
  /** Values as written, including secrets. */
  readonly raw: RawConfiguration;
  /** The keys of all owners. */
  readonly root: SectionNode;
  /** Keys of saved settings without effect: they match nothing, or the API cannot have saved them. */
  readonly homeless: readonly string[];
}

export interface ResolveOptions {
  /** Whether some owners are missing. An unknown key that resembles no known key may belong to one of them. */
  readonly incomplete?: boolean;
}

/** Merges the layers and parses each owner's part. Never throws because of configuration content. */
export function resolveConfiguration(
  parts: readonly ConfigurationPart[],
  layers: ConfigurationLayers,
  { incomplete = false }: ResolveOptions = {},
): ResolvedConfiguration {
  const tree = schemaTree(parts);
  const { root } = tree;
  const problems: HostProblem[] = [...tree.problems];
  const assignments = [
    ...readValues(root, layers.defaults, { source: 'default', origin: 'defaults of this command' }, problems),
    ...(layers.file === undefined ? [] : readFileValues(root, layers.file, problems)),
    ...readEnvironment(root, layers.environment ?? {}, problems),
    ...readCommandLine(root, layers.commandLine ?? [], problems),
    ...readValues(root, layers.overrides, { source: 'override', origin: 'overrides' }, problems),
  ];
  const raw = assemble(root, assignments, problems);
  const homeless = applySaved(root, raw, layers.saved ?? []);
  problems.push(
    ...findDuplicateNames(root, raw.values, []).map((message) => ({ code: 'invalid_configuration', message })),
  );
  const parsed = new Map<string, unknown>();
  for (const { owner, schema } of parts) {
    const node = tree.parts.get(owner);
    if (node === undefined) continue;
    const result = schema.safeParse(project(node, raw.values));
    if (result.success) parsed.set(owner, result.data);
    else problems.push(...result.error.issues.map((issue) => invalid(owner, issue, raw)));
  }
  const view = configurationView(root, raw, suspiciousVariables(root, layers.environment ?? {}));
  return {
    parsed,
    view,
    problems: incomplete ? problems.filter((problem) => !mayBeOfOthers(problem)) : problems,
    raw,
    root,
    homeless,
  };
}

function mayBeOfOthers({ code, message }: HostProblem): boolean {
  return code === 'unknown_configuration_key' && !message.includes('Did you mean');
}

/**
 * Returns the values that an owner declares. Its sections exist even if nothing is set in them, so that defaults apply.
 */
function project(node: SchemaNode, value: unknown): unknown {
  if (node.kind !== 'section') return value;
  if (value === undefined && node.optional) return undefined;
  const known: [string, unknown][] = [];
  for (const [key, child] of node.children) {
    const item = project(child, isJsonObject(value) ? value[key] : undefined);
    if (item !== undefined) known.push([key, item]);
  }
  return Object.fromEntries(known);
}

function invalid(owner: string, issue: z.core.$ZodIssue, raw: RawConfiguration): HostProblem {
  const path = issue.path.map(String);
  const from = originOf(raw, path);
  const missing = from === undefined && issue.code === 'invalid_type';
  const where = from === undefined ? '' : ` (${from.origin})`;
  const plugin = owner === 'core' ? '' : ` Needed by plugin "${owner}".`;
  return {
    code: 'invalid_configuration',
    message: missing
      ? `${keyOf(path)} is missing.${plugin}`
      : `${keyOf(path)} is wrong${where}: ${sentence(issue.message)}${plugin}`,
    plugins: owner === 'core' ? [] : [owner],
    ...(from?.saved === undefined ? {} : { setting: from.saved }),
  };
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
