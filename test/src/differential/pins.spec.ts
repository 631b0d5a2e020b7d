import { expect } from 'chai';
import { compareWithPins } from './pins.js';
import type { CaseOutcome } from './run-case.js';

const DIFFERING_OUTCOME: CaseOutcome = {
  id: 'one',
  verdict: 'differs',
  details: ['case: status: ours "completed", Zeebe "waits"'],
};

describe('compareWithPins (differential pins)', () => {
  const pin = { verdict: 'differs', details: DIFFERING_OUTCOME.details, reason: 'Decided.' } as const;
  const cases: [string, Parameters<typeof compareWithPins>[0], CaseOutcome, boolean][] = [
    ['equal outcomes', {}, { ...DIFFERING_OUTCOME, verdict: 'same', details: [] }, true],
    ['a pinned difference', { one: pin }, DIFFERING_OUTCOME, true],
    ['a difference that is not pinned', {}, DIFFERING_OUTCOME, false],
    [
      'a difference other than the pinned one',
      { one: { ...pin, details: ['another difference'] } },
      DIFFERING_OUTCOME,
      false,
    ],
    ['an unused pin', { one: pin }, { ...DIFFERING_OUTCOME, verdict: 'same', details: [] }, false],
    ['a new refusal', { one: pin }, { ...DIFFERING_OUTCOME, verdict: 'refused by us' }, false],
  ];
  for (const [title, pins, outcome, accepted] of cases) {
    it(`should ${accepted ? 'accept' : 'report'} ${title}`, () => {
      expect(compareWithPins(pins, [outcome]).length === 0).to.equal(accepted);
    });
  }
});
