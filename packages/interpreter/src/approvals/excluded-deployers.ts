import type { Execution } from '../execution.js';

/**
 * Ids of those who deployed what the run has used: the version that it is on, versions that it left by a migration, and DMN
 * decisions. Nobody where `Approvals:ExcludeDeployers` is off.
 */
export function excludedDeployers({ state, context }: Pick<Execution, 'state' | 'context'>): readonly string[] {
  const { settings, deployedBy } = context;
  if (!settings.excludeDeployers) return [];
  return [...new Set([...(deployedBy === undefined ? [] : [deployedBy]), ...(state.deployers ?? [])])];
}
