import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONFORMANCE_PREFIX } from './cases/conformance.js';
import type { CaseOutcome, Verdict } from './run-case.js';

/** What is known not to be the same, by case id. Everything that is not in it has to be. */
export type Pins = Readonly<Record<string, Pin>>;

interface Pin {
  readonly verdict: Exclude<Verdict, 'same'>;
  /** Exactly what differs, where something does: another difference is a new one. */
  readonly details?: readonly string[];
  /** The decision (ADR) that wants it so, or what is missing. */
  readonly reason: string;
}

const FILE = fileURLToPath(new URL('../../src/differential/differs.json', import.meta.url));

export function readPins(): Pins {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Pins;
}

/** Pins what came out. Reasons that were given stay, and so do pins of the conformance models where those are not there. */
export function writePins(pins: Pins, outcomes: readonly CaseOutcome[]): void {
  const isAway = !outcomes.some(({ id }) => id.startsWith(CONFORMANCE_PREFIX));
  const kept = Object.entries(pins).filter(([id]) => isAway && id.startsWith(CONFORMANCE_PREFIX));
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
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries([...pinned, ...kept]), null, 2)}\n`);
}

/** Where outcomes are not as pinned, worse or better: a pin that nobody needs any more would hide the next difference. */
export function differencesFrom(pins: Pins, outcomes: readonly CaseOutcome[]): string[] {
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
