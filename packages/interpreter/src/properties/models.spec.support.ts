import fc from 'fast-check';
import { checkModels } from './check-models.spec.support.js';

/** Models per test run. `.ci/full` checks 10,000 more; `npm run properties -- --models 1000000 --seed N` any number. */
const MODELS = 2_000;
/** Number of spec files that share the models, so that they are checked in parallel. */
const PARTS = 4;

/** Checks one part of the models, with the seed of all property tests. A failure states how to reproduce it. */
export function describeModels(part: number): void {
  describe(`advance() on random BPMN models, part ${part} of ${PARTS}`, () => {
    it('should preserve the invariants of runs, and reach the same state after a restart and in a replay', async () => {
      await checkModels({ models: MODELS / PARTS, seed: partSeed(part) });
    }).timeout(600_000);
  });
}

function partSeed(part: number): number {
  return (fc.readConfigureGlobal()?.seed ?? 0) + part;
}
