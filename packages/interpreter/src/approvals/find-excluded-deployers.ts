import type { Execution } from '../execution.js';

/**
 * Returns the ids of the users who deployed anything that the run has used: its current version, the versions before a
 * migration, and DMN decisions. Empty if `Approvals:ExcludeDeployers` is off.
 */
export function findExcludedDeployers({ state, context }: Pick<Execution, 'state' | 'context'>): readonly string[] {
  const { settings, deployedBy } = context;
  if (!settings.excludeDeployers) return [];
  return [...new Set([...(deployedBy === undefined ? [] : [deployedBy]), ...(state.deployers ?? [])])];
}
