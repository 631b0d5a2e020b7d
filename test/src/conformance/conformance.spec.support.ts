import { expect } from 'chai';
import { readMaterial, explainMissingMaterial, type Material } from './material.js';
import { compareWithPins, isWrongCoreResult, readPins } from './pins.js';
import type { CaseResult } from './verdict.js';

/** Time for all cases of a set on a busy machine. */
export const SET_TIMEOUT_MS = 300_000;

/**
 * Defines one test for each group of cases, and one for all core cases. If the material is missing, defines only a
 * skipped test whose title is the reason.
 */
export function describeSet(
  title: string,
  listGroups: (material: Material) => readonly string[],
  run: (material: Material) => Promise<readonly CaseResult[]>,
): void {
  const missingReason = explainMissingMaterial();
  describe(title, () => {
    if (missingReason !== undefined) {
      it.skip(`(${missingReason})`);
      return;
    }
    const material = readMaterial();
    let results: readonly CaseResult[] = [];

    before(async function () {
      this.timeout(SET_TIMEOUT_MS);
      results = await run(material);
    });

    for (const group of new Set(listGroups(material))) {
      it(`should match the pinned verdicts: ${group}`, () => {
        const differences = compareWithPins(
          readPins(),
          results.filter((result) => result.group === group),
        );
        expect(differences, differences.join('\n')).to.deep.equal([]);
      });
    }

    it('should execute no core case incorrectly', () => {
      const wrongResults = results.filter(isWrongCoreResult).map(({ id, details }) => `${id}: ${details.join(' ')}`);
      expect(wrongResults, wrongResults.join('\n')).to.deep.equal([]);
    });
  });
}
