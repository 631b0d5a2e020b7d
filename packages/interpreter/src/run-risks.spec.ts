import { expect } from 'chai';
import fc from 'fast-check';
import { maxRisk, RISK_LEVELS, type RiskLevel, type StepRisk } from '@countersign/model';
import { RunRisks } from './run-risks.js';

const arbitraryRisk = fc.record({
  elementId: fc.constantFrom('a', 'b', 'c', 'd'),
  entered: fc.nat(9),
  level: fc.constantFrom(...RISK_LEVELS),
});

const computeHighest = (risks: readonly StepRisk[]): RiskLevel =>
  risks.reduce<RiskLevel>((level, each) => maxRisk(level, each.level), 'low');

describe('RunRisks', () => {
  it('should behave like a list in which a new risk replaces the earlier risks of its element', () => {
    fc.assert(
      // A state contains several risks of one element only after a migration.
      fc.property(fc.array(arbitraryRisk), fc.array(arbitraryRisk), (initial, recorded) => {
        const risks = new RunRisks(initial);
        let list: readonly StepRisk[] = initial;
        expect(risks.all()).to.equal(initial);
        for (const each of recorded) {
          risks.record(each);
          list = [...list.filter(({ elementId }) => elementId !== each.elementId), each];

          expect(risks.all()).to.deep.equal(list);
          expect(risks.highest).to.equal(computeHighest(list));
          for (const id of ['a', 'b', 'c', 'd'])
            expect(risks.find(id)).to.equal(list.find(({ elementId }) => elementId === id));
        }
      }),
    );
  });
});
