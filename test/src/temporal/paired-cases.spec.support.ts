import { expect } from 'chai';
import type { Suite } from 'mocha';
import type { CaseEngine } from '../conformance/case-engine.js';
import { explainMissingMaterial, type Material, readMaterial } from '../conformance/material.js';
import { compareWithPins as compareWithConformancePins, readPins as readConformancePins } from '../conformance/pins.js';
import { runStepCase } from '../conformance/run-step-case.js';
import { runTracedCase } from '../conformance/run-traced-case.js';
import type { DifferentialCase } from '../differential/case.js';
import { compareWithPins, readPins } from '../differential/pins.js';
import { type PairedCase, pairConformanceCases, pairDifferentialCases } from './pair-cases.js';
import { TemporalCaseEngine } from './temporal-case-engine.spec.support.js';
import { useTemporalServer } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

/**
 * Defines a spec for each conformance case: on both engines, it has the pinned verdict, and on Temporal the history of
 * the embedded engine. If the material is missing, defines only a skipped spec whose title is the reason.
 */
export function describeConformanceOnTemporal(
  select: (material: Material) => Pick<Material, 'traced' | 'steps'>,
  timeoutMs: number,
): void {
  const missingReason = explainMissingMaterial();
  if (missingReason !== undefined) {
    describeOnTemporal('conformance cases', () => it.skip(`(${missingReason})`));
    return;
  }
  const material = readMaterial();
  const { traced, steps } = select(material);
  describePairs({
    title: 'conformance cases',
    ids: [...traced, ...steps].map(({ id }) => id),
    timeoutMs,
    execute: async (engine) => [
      ...(await pairConformanceCases(traced, (file) => material.model(file), runTracedCase, engine)),
      ...(await pairConformanceCases(steps, (file) => material.model(file), runStepCase, engine)),
    ],
    comparePins: (result) => compareWithConformancePins(readConformancePins(), [result]),
  });
}

/** Defines a spec for each differential case: on both engines, it has the pinned outcome, and the same history. */
export function describeDifferentialOnTemporal(cases: readonly DifferentialCase[], timeoutMs: number): void {
  describePairs({
    title: 'differential cases',
    ids: cases.map(({ id }) => id),
    timeoutMs,
    execute: (engine) => pairDifferentialCases(cases, engine),
    comparePins: (result) => compareWithPins(readPins(), [result]),
  });
}

interface PairsSuite<T> {
  readonly title: string;
  readonly ids: readonly string[];
  readonly timeoutMs: number;
  execute(engine: CaseEngine): Promise<readonly PairedCase<T>[]>;
  /** Returns the differences of a result from its pin. */
  comparePins(result: T): readonly string[];
}

function describePairs<T>({ title, ids, timeoutMs, execute, comparePins }: PairsSuite<T>): void {
  describeOnTemporal(title, function (this: Suite) {
    const context = useTemporalServer();
    let pairedCases: readonly PairedCase<T>[] = [];

    before(async function () {
      this.timeout(timeoutMs);
      pairedCases = await execute(new TemporalCaseEngine(context.server));
    });

    for (const id of ids)
      it(`should have the pinned verdict, and each hash of the embedded engine: ${id}`, () => {
        const found = pairedCases.filter((each) => each.id === id);
        const problems = found.flatMap(({ results, differences }) => [
          ...results.flatMap((result) => comparePins(result)),
          ...differences,
        ]);
        expect(found).to.have.length(1);
        expect(problems, problems.join('\n')).to.deep.equal([]);
      });

    it('should have compared the histories of nearly all cases', () => {
      const compared = pairedCases.filter(({ eventCount }) => eventCount > 0);
      // The models of the others are refused.
      expect(compared).to.have.length.above(ids.length * 0.9);
    });
  });
}
