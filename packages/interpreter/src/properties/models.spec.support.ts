import fc from 'fast-check';
import { checkModels } from './check-models.spec.support.js';

/** Models per test run. `.ci/full` checks 10,000 more; `npm run properties -- --models 1000000 --seed N` any number. */
const MODEL_COUNT = 2_000;
/** Number of spec files that share the models, so that they are checked in parallel. */
const PART_COUNT = 4;

/**
 * Defines the test of one part of the models. Its seed derives from the seed of all property tests; a failure reports
 * how to reproduce it.
 */
export function describeModels(part: number): void {
  describe(`advance() on random BPMN models, part ${part} of ${PART_COUNT}`, () => {
    it('should preserve the invariants of runs, and reach the same state after a restart and in a replay', async () => {
      await checkModels({ models: MODEL_COUNT / PART_COUNT, seed: getPartSeed(part) });
    }).timeout(600_000);
  });
}

function getPartSeed(part: number): number {
  return (fc.readConfigureGlobal()?.seed ?? 0) + part;
}
