import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONFORMANCE_PREFIX } from './cases/conformance.js';
import type { CaseOutcome, Verdict } from './run-case.js';

/** Known differences by case id. Every other case must be equal. */
export type Pins = Readonly<Record<string, Pin>>;

interface Pin {
  readonly verdict: Exclude<Verdict, 'same'>;
  /** The exact differences, if any: another difference is a new one. */
  readonly details?: readonly string[];
  /** ADR that intends the difference, or what is missing. */
  readonly reason: string;
}

const FILE = fileURLToPath(new URL('../../src/differential/differs.json', import.meta.url));

export function readPins(): Pins {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Pins;
}

/** Pins the outcomes. Existing reasons are kept, and so are pins of the conformance models if those are missing. */
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

/** Returns the outcomes that differ from the pins, worse or better: an obsolete pin would hide the next difference. */
export function compareWithPins(pins: Pins, outcomes: readonly CaseOutcome[]): string[] {
  return outcomes.flatMap(({ id, verdict, details }) => {
    const pin = pins[id];
    const expected = pin?.verdict ?? 'same';
    if (verdict !== expected)
      return [
        `${id}: expected ${expected}, found ${verdict}. ${verdict === 'same' ? 'Take it out of differs.json (npm run differential -- --pin).' : details.join('; ')}`,
      ];
    if (pin?.details === undefined || JSON.stringify(pin.details) === JSON.stringify(details)) return [];
    return [`${id}: it differs in another way than before. ${details.join('; ')}`];
  });
}
