import { expect } from 'chai';
import { explainMissingMaterial } from '../../conformance/material.js';
import { CONFORMANCE_PREFIX } from '../cases/conformance.js';
import { CASES } from '../cases/index.js';
import { compareWithPins, readPins } from '../pins.js';
import { runAll } from '../run-all.js';
import type { CaseOutcome } from '../run-case.js';

/** Time for all cases on a busy machine. */
const TIMEOUT_MS = 600_000;

describe('differential tests against the recorded responses of Zeebe', () => {
  let outcomes: readonly CaseOutcome[] = [];

  before(async function () {
    this.timeout(TIMEOUT_MS);
    outcomes = await runAll(CASES);
  });

  for (const { id } of CASES) {
    it(`should have the outcome of Zeebe, or differ from it as pinned: ${id}`, () => {
      const found = outcomes.filter((outcome) => outcome.id === id);
      const differences = compareWithPins(readPins(), found);
      expect(found).to.have.length(1);
      expect(differences, differences.join('\n')).to.deep.equal([]);
    });
  }

  it('should have a case for every pin', () => {
    const pins = Object.keys(readPins()).filter(
      (id) => explainMissingMaterial() === undefined || !id.startsWith(CONFORMANCE_PREFIX),
    );
    expect(CASES.map(({ id }) => id)).to.include.members(pins);
  });
});
