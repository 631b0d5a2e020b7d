import type { Choice } from '../token-net.js';

/**
 * Returns whether one run can certainly make all of the given choices. Choices at two gateways that read the same
 * variable may exclude each other, as may two choices at the same gateway.
 */
export function areCompatible(choices: readonly Choice[]): boolean {
  const decidedElements = new Set<string>();
  const readVariables = new Set<string>();
  for (const { elementId, reads } of choices) {
    if (reads === null) continue;
    if (decidedElements.has(elementId) || reads.some((name) => readVariables.has(name))) return false;
    decidedElements.add(elementId);
    for (const name of reads) readVariables.add(name);
  }
  return true;
}

/**
 * Returns ` if "x" takes flow "f" and "timeout" occurs and changes are requested in "approve"`; empty if there is no
 * choice.
 */
export function describeChoices(choices: readonly Choice[]): string {
  if (choices.length === 0) return '';
  const parts = choices.map(({ elementId, flowId, isRework }) => {
    if (isRework) return `changes are requested in "${elementId}"`;
    return flowId === null ? `"${elementId}" occurs` : `"${elementId}" takes flow "${flowId}"`;
  });
  return ` if ${[...new Set(parts)].join(' and ')}`;
}
