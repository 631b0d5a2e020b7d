import type { Choice } from '../token-net.js';

/**
 * Returns whether the given choices are certainly possible together: two gateways that read the same variables may
 * exclude each other, and so may two passes through the same gateway.
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

/** Returns ` if "x" takes flow "f" and "timeout" happens`; empty if there is no choice. */
export function describeChoices(choices: readonly Choice[]): string {
  if (choices.length === 0) return '';
  const parts = choices.map(({ at, flowId }) =>
    flowId === null ? `"${at}" happens` : `"${at}" takes flow "${flowId}"`,
  );
  return ` if ${[...new Set(parts)].join(' and ')}`;
}
