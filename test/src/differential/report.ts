import type { Pins } from './pins.js';
import { RECORDING } from './recorded-responses.js';
import type { CaseOutcome, Verdict } from './run-case.js';

const VERDICTS: readonly Verdict[] = ['same', 'differs', 'not on Zeebe', 'refused by us', 'refused by both'];

/** Formats a line for each reported case, and the number of cases by verdict. */
export function formatOutcomes(outcomes: readonly CaseOutcome[], pins: Pins, includeSame: boolean): string {
  const lines = outcomes
    .filter(({ verdict }) => includeSame || verdict !== 'same')
    .map((outcome) => formatOutcome(outcome, pins));
  const counts = VERDICTS.map((verdict) => `${verdict}: ${outcomes.filter((each) => each.verdict === verdict).length}`);
  return [
    ...lines,
    `${outcomes.length} cases, compared with ${RECORDING.engine} ${RECORDING.version} as recorded on ${RECORDING.recordedOn}; ${counts.join(', ')}`,
  ].join('\n');
}

function formatOutcome({ id, verdict, details }: CaseOutcome, pins: Pins): string {
  const reason = pins[id] === undefined ? [] : [`reason: ${pins[id].reason}`];
  return [`${verdict.padEnd(15)} ${id}`, ...[...details, ...reason].map((line) => `${' '.repeat(16)}${line}`)].join(
    '\n',
  );
}
