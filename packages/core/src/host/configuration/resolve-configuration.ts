import type { z } from 'zod';
import { isJsonObject } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { applySavedSettings, findDuplicateNames } from './apply-saved-settings.js';
import { assembleConfiguration, type RawConfiguration } from './assemble-configuration.js';
import { buildConfigurationView, findOrigin, type ConfigurationView } from './configuration-view.js';
import { joinPath, type ConfigurationLayers } from './configuration-layers.js';
import { readEnvironment, findVariableWarnings } from './read-environment.js';
import { readCommandLine } from './read-text-values.js';
import { readFileValues, readValues } from './read-values.js';
import type { SchemaNode, SectionNode } from './schema-node.js';
import { buildSchemaTree, type ConfigurationPart } from './schema-tree.js';

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
  readonly unknownSavedKeys: readonly string[];
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
  const tree = buildSchemaTree(parts);
  const { root } = tree;
  const problems: HostProblem[] = [...tree.problems];
  const assignments = [
    ...readValues(root, layers.defaults, { source: 'default', origin: 'defaults of this command' }, problems),
    ...(layers.file === undefined ? [] : readFileValues(root, layers.file, problems)),
    ...readEnvironment(root, layers.environment ?? {}, problems),
    ...readCommandLine(root, layers.commandLine ?? [], problems),
    ...readValues(root, layers.overrides, { source: 'override', origin: 'overrides' }, problems),
  ];
  const raw = assembleConfiguration(root, assignments, problems);
  const unknownSavedKeys = applySavedSettings(root, raw, layers.saved ?? []);
  problems.push(
    ...findDuplicateNames(root, raw.values, []).map((message) => ({ code: 'invalid_configuration', message })),
  );
  const parsed = new Map<string, unknown>();
  for (const { owner, schema } of parts) {
    const node = tree.parts.get(owner);
    if (node === undefined) continue;
    const result = schema.safeParse(pickKnownKeys(node, raw.values));
    if (result.success) parsed.set(owner, result.data);
    else problems.push(...result.error.issues.map((issue) => toProblem(owner, issue, raw)));
  }
  const view = buildConfigurationView(root, raw, findVariableWarnings(root, layers.environment ?? {}));
  return {
    parsed,
    view,
    problems: incomplete ? problems.filter((problem) => !mayBelongToMissingPlugin(problem)) : problems,
    raw,
    root,
    unknownSavedKeys,
  };
}

function mayBelongToMissingPlugin({ code, message }: HostProblem): boolean {
  return code === 'unknown_configuration_key' && !message.includes('Did you mean');
}

/**
 * Returns the values that an owner declares. Its sections exist even if nothing is set in them, so that defaults apply.
 */
function pickKnownKeys(node: SchemaNode, value: unknown): unknown {
  if (node.kind !== 'section') return value;
  if (value === undefined && node.optional) return undefined;
  const entries: [string, unknown][] = [];
  for (const [key, child] of node.children) {
    const item = pickKnownKeys(child, isJsonObject(value) ? value[key] : undefined);
    if (item !== undefined) entries.push([key, item]);
  }
  return Object.fromEntries(entries);
}

function toProblem(owner: string, issue: z.core.$ZodIssue, raw: RawConfiguration): HostProblem {
  const path = issue.path.map(String);
  const valueOrigin = findOrigin(raw, path);
  const isMissing = valueOrigin === undefined && issue.code === 'invalid_type';
  const originSuffix = valueOrigin === undefined ? '' : ` (${valueOrigin.origin})`;
  const neededBy = owner === 'core' ? '' : ` Needed by plugin "${owner}".`;
  return {
    code: 'invalid_configuration',
    message: isMissing
      ? `${joinPath(path)} is missing.${neededBy}`
      : `${joinPath(path)} is wrong${originSuffix}: ${withFullStop(issue.message)}${neededBy}`,
    plugins: owner === 'core' ? [] : [owner],
    ...(valueOrigin?.savedKey === undefined ? {} : { setting: valueOrigin.savedKey }),
  };
}

function withFullStop(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
