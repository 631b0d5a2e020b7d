import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONFORMANCE_PREFIX } from './cases/conformance.js';
import type { CaseOutcome, Verdict } from './run-case.js';

/** Known differences by case id. Every other case must be equal. */
export type Pins = Readonly<Record<string, Pin>>;

interface Pin {
  readonly verdict: Exclude<Verdict, 'same'>;
  /** Exact differences; only for the verdict `differs`. Any other difference is reported. */
  readonly details?: readonly string[];
  /** Reason for the difference: the decision behind it, or the missing feature. */
  readonly reason: string;
}

const FILE = fileURLToPath(new URL('../../src/differential/differs.json', import.meta.url));

export function readPins(): Pins {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Pins;
}

/**
 * Writes the pins of the outcomes. Keeps the reasons of existing pins, and keeps the pins of conformance cases if there
 * are no outcomes of such cases.
 */
export function writePins(pins: Pins, outcomes: readonly CaseOutcome[]): void {
  const hasNoConformanceCases = !outcomes.some(({ id }) => id.startsWith(CONFORMANCE_PREFIX));
  const keptPins = Object.entries(pins).filter(([id]) => hasNoConformanceCases && id.startsWith(CONFORMANCE_PREFIX));
  const pinned = outcomes.flatMap(({ id, verdict, details }) =>
    verdict === 'same'
      ? []
      : [
          [
            id,
            { verdict, ...(verdict === 'differs' ? { details } : {}), reason: pins[id]?.reason ?? 'Not settled yet.' },
          ] as const,
        ],
  );
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries([...pinned, ...keptPins]), null, 2)}\n`);
}

/**
 * Describes the outcomes that differ from the pins. Obsolete pins count as well, because they would hide the next
 * difference.
 */
export function compareWithPins(pins: Pins, outcomes: readonly CaseOutcome[]): string[] {
  return outcomes.flatMap(({ id, verdict, details }) => {
    const pin = pins[id];
    const expected = pin?.verdict ?? 'same';
    if (verdict !== expected)
      return [
        `${id}: expected ${expected}, found ${verdict}. ${verdict === 'same' ? 'Remove its pin from differs.json (npm run differential -- --pin).' : details.join('; ')}`,
      ];
    if (pin?.details === undefined || JSON.stringify(pin.details) === JSON.stringify(details)) return [];
    return [`${id}: the differences are not the pinned ones. ${details.join('; ')}`];
  });
}
