import type { Choice } from '../token-net.js';

/**
 * Whether choices can surely come out like that together: of two gateways that read the same variables, one may rule out
 * what the other says, and of two looks at the same gateway as well.
 */
export function areCompatible(choices: readonly Choice[]): boolean {
  const asked = new Set<string>();
  const read = new Set<string>();
  for (const { at, reads } of choices) {
    if (reads === null) continue;
    if (asked.has(at) || reads.some((name) => read.has(name))) return false;
    asked.add(at);
    for (const name of reads) read.add(name);
  }
  return true;
}

/** `, where gateway "x" takes flow "f" and "timeout" happens`; empty where nothing is chosen. */
export function describeChoices(choices: readonly Choice[]): string {
  if (choices.length === 0) return '';
  const parts = choices.map(({ at, flowId }) =>
    flowId === null ? `"${at}" happens` : `"${at}" takes flow "${flowId}"`,
  );
  return ` where ${[...new Set(parts)].join(' and ')}`;
}
