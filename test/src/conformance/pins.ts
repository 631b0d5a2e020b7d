import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Results } from './run-all.js';
import type { CaseResult, Verdict } from './verdict.js';

/** What is known to fall short, by case id. Everything that is not in it has to be right. */
export type Pins = Readonly<Record<string, Pin>>;

export interface Pin {
  readonly verdict: Exclude<Verdict, 'right'>;
  /** The decision (ADR) that wants it so, or what is missing. */
  readonly reason: string;
}

const FILE = fileURLToPath(new URL('../../src/conformance/falls-short.json', import.meta.url));

export function readPins(): Pins {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Pins;
}

/** Pins what came out, but for core cases that are wrong: nothing excuses those. Reasons that were given stay. */
export function writePins(pins: Pins, results: Results): void {
  const inexcusable = new Set([...results.traced, ...results.steps].filter(isCoreWrong));
  const short = pinned(results).filter((result) => result.verdict !== 'right' && !inexcusable.has(result));
  const entries = short.map(
    ({ id, verdict }) =>
      [id, { verdict, reason: pins[id]?.verdict === verdict ? pins[id].reason : 'Not built yet.' }] as const,
  );
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

/** Where results are not as pinned, worse or better: a pin that nobody needs any more would hide the next regression. */
export function differencesFrom(pins: Pins, results: readonly CaseResult[]): string[] {
  return results.flatMap(({ id, verdict, details }) => {
    const expected = pins[id]?.verdict ?? 'right';
    if (verdict === expected) return [];
    const why =
      verdict === 'right' ? 'Take it out of falls-short.json (npm run conformance -- --pin).' : details.join(' ');
    return [`${id}: expected ${expected}, found ${verdict}. ${why}`];
  });
}

export function isCoreWrong({ tier, verdict }: CaseResult): boolean {
  return tier === 'core' && verdict === 'wrong';
}

/** The results that are pinned. A model that breaks a rule may be refused for whatever reason. */
export function pinned({ traced, steps, constraints }: Omit<Results, 'exchanged'>): CaseResult[] {
  return [
    ...traced,
    ...steps,
    ...constraints.map((result) => (result.verdict === 'refused' ? { ...result, verdict: 'right' as const } : result)),
  ];
}
