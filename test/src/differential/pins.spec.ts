import { expect } from 'chai';
import { differencesFrom } from './pins.js';
import type { CaseOutcome } from './run-case.js';

const DIFFERS: CaseOutcome = {
  id: 'one',
  verdict: 'differs',
  details: ['case: status: ours "completed", Zeebe "waits"'],
};

describe('Differential: the pins', () => {
  const pin = { verdict: 'differs', details: DIFFERS.details, reason: 'Decided.' } as const;
  const cases: [string, Parameters<typeof differencesFrom>[0], CaseOutcome, boolean][] = [
    ['equal outcomes', {}, { ...DIFFERS, verdict: 'same', details: [] }, true],
    ['a pinned difference', { one: pin }, DIFFERS, true],
    ['a difference that is not pinned', {}, DIFFERS, false],
    ['a difference other than the pinned one', { one: { ...pin, details: ['else'] } }, DIFFERS, false],
    ['an unused pin', { one: pin }, { ...DIFFERS, verdict: 'same', details: [] }, false],
    ['a new refusal', { one: pin }, { ...DIFFERS, verdict: 'refused by us' }, false],
  ];
  for (const [title, pins, outcome, accepted] of cases) {
    it(`should ${accepted ? 'accept' : 'report'} ${title}`, () => {
      expect(differencesFrom(pins, [outcome]).length === 0).to.equal(accepted);
    });
  }
});
