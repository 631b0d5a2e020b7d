import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Results } from './run-all.js';
import type { CaseResult, Verdict } from './verdict.js';

/** Known deviations by case id. Every other case must be correct. */
export type Pins = Readonly<Record<string, Pin>>;

export interface Pin {
  readonly verdict: Exclude<Verdict, 'right'>;
  /** ADR that justifies the deviation, or a description of the missing feature. */
  readonly reason: string;
}

const FILE = fileURLToPath(new URL('../../src/conformance/falls-short.json', import.meta.url));

export function readPins(): Pins {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Pins;
}

/** Pins the results, except wrong core cases, which are never excused. Existing reasons are kept. */
export function writePins(pins: Pins, results: Results): void {
  const wrongCoreResults = new Set([...results.traced, ...results.steps].filter(isWrongCoreResult));
  const incorrectResults = listPinnableResults(results).filter(
    (result) => result.verdict !== 'right' && !wrongCoreResults.has(result),
  );
  const entries = incorrectResults.map(
    ({ id, verdict }) =>
      [id, { verdict, reason: pins[id]?.verdict === verdict ? pins[id].reason : 'Not built yet.' }] as const,
  );
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

/**
 * Returns a message for each result that is worse or better than its pin. An obsolete pin would hide the next
 * regression.
 */
export function compareWithPins(pins: Pins, results: readonly CaseResult[]): string[] {
  return results.flatMap(({ id, verdict, details }) => {
    const expected = pins[id]?.verdict ?? 'right';
    if (verdict === expected) return [];
    const detail =
      verdict === 'right' ? 'Remove it from falls-short.json (npm run conformance -- --pin).' : details.join(' ');
    return [`${id}: expected ${expected}, found ${verdict}. ${detail}`];
  });
}

export function isWrongCoreResult({ tier, verdict }: CaseResult): boolean {
  return tier === 'core' && verdict === 'wrong';
}

/** Returns the results that are compared with the pins. An invalid BPMN model may be refused for any reason. */
export function listPinnableResults({ traced, steps, constraints }: Omit<Results, 'exchanged'>): CaseResult[] {
  return [
    ...traced,
    ...steps,
    ...constraints.map((result) => (result.verdict === 'refused' ? { ...result, verdict: 'right' as const } : result)),
  ];
}
