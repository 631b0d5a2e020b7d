import { expect } from 'chai';
import { whyNoMaterial } from '../conformance/material.js';
import { CONFORMANCE_PREFIX } from './cases/conformance.js';
import { CASES } from './cases/index.js';
import { differencesFrom, readPins } from './pins.js';
import { runAll } from './run-all.js';
import type { CaseOutcome } from './run-case.js';
import { startBroker } from './zeebe/broker.js';
import { findZeebe, type ZeebeInstallation } from './zeebe/installation.js';

/** All cases on a busy machine. */
const TIMEOUT_MS = 600_000;

describe('Differential: the same models, commands and variables on Zeebe', () => {
  let zeebe: ZeebeInstallation;
  try {
    zeebe = findZeebe(false);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.env['CI'] !== 'true') it.skip(`(${reason})`);
    else
      it('should have Zeebe to compare with', () => {
        expect.fail(reason);
      });
    return;
  }
  let outcomes: readonly CaseOutcome[] = [];

  before(async function () {
    this.timeout(TIMEOUT_MS);
    const broker = await startBroker(zeebe);
    try {
      outcomes = await runAll(CASES, broker);
    } finally {
      await broker.stop();
    }
  });

  for (const { id } of CASES) {
    it(`should come to the same, or differ as pinned: ${id}`, () => {
      const differences = differencesFrom(readPins(), outcomes.filter((outcome) => outcome.id === id));
      expect(differences, differences.join('\n')).to.deep.equal([]);
    });
  }

  it('should have a case for every pin', () => {
    const pins = Object.keys(readPins()).filter((id) => whyNoMaterial() === undefined || !id.startsWith(CONFORMANCE_PREFIX));
    expect(CASES.map(({ id }) => id)).to.include.members(pins);
  });
});
