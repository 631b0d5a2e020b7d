import fc from 'fast-check';
import { checkModels } from './check-models.spec.support.js';

/** What is checked each time; `.ci/full` checks 10,000 more, and `npm run properties -- --models 1000000 --seed N` as many as are asked for. */
const MODELS = 2_000;
/** Spec files that share them, so that they are checked side by side. */
const PARTS = 4;

/** One part of the models that are checked each time, by the seed of all property tests. Whatever fails says how it is seen again. */
export function describeModels(part: number): void {
  describe(`advance() on random BPMN models, part ${part} of ${PARTS}`, () => {
    it('should preserve the invariants of runs, and reach the same state after a restart and in a replay', async () => {
      await checkModels({ models: MODELS / PARTS, seed: seedOf(part) });
    }).timeout(600_000);
  });
}

function seedOf(part: number): number {
  return (fc.readConfigureGlobal()?.seed ?? 0) + part;
}
