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
    ['what is the same', {}, { ...DIFFERS, verdict: 'same', details: [] }, true],
    ['what differs as pinned', { one: pin }, DIFFERS, true],
    ['what differs and is not pinned', {}, DIFFERS, false],
    ['what differs in another way', { one: { ...pin, details: ['else'] } }, DIFFERS, false],
    ['a pin that nobody needs', { one: pin }, { ...DIFFERS, verdict: 'same', details: [] }, false],
    ['what is refused and was not', { one: pin }, { ...DIFFERS, verdict: 'refused by us' }, false],
  ];
  for (const [title, pins, outcome, accepted] of cases) {
    it(`should ${accepted ? 'accept' : 'tell of'} ${title}`, () => {
      expect(differencesFrom(pins, [outcome]).length === 0).to.equal(accepted);
    });
  }
});
