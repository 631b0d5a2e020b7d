import { compileWorkflows, lintWorkflows } from '@countersign/bpmn/lint';
import { isModelRefusedError } from '@countersign/model';
import { expect } from 'chai';
import { adaptModel } from './adapt-model.js';
import { SET_TIMEOUT_MS } from './conformance.spec.support.js';
import { readMaterial, explainMissingMaterial } from './material.js';

const missingReason = explainMissingMaterial();

describe('Conformance: model checks', function () {
  this.timeout(SET_TIMEOUT_MS);
  if (missingReason !== undefined) {
    it.skip(`(${missingReason})`);
    return;
  }
  const { traced, steps, model } = readMaterial();

  /** Returns the findings as `severity rule element`; none for a refused BPMN model. */
  async function listFindings(file: string): Promise<string[]> {
    try {
      const compiled = await compileWorkflows(adaptModel(model(file).toString('utf8')));
      return lintWorkflows(compiled, { now: 0 }).map(
        ({ severity, rule, elementId }) => `${severity} ${rule} ${elementId ?? '-'}`,
      );
    } catch (error) {
      if (isModelRefusedError(error)) return [];
      throw error;
    }
  }

  it('should report no error in core models that work as specified', async () => {
    const workingCases = [...traced.filter(({ expectedStatus }) => expectedStatus === 'completed'), ...steps].filter(
      ({ tier }) => tier === 'core',
    );
    const files = [...new Set(workingCases.map(({ bpmnFile }) => bpmnFile))];
    expect(files.length).to.be.greaterThan(80);
    for (const file of files)
      expect(
        (await listFindings(file)).filter((finding) => finding.startsWith('error')),
        file,
      ).to.deep.equal([]);
  });

  it('should find the deadlock and the merge without synchronization in the models that contain them', async () => {
    const listFindingsOfCase = (id: string) => listFindings(traced.find((each) => each.id === id)?.bpmnFile ?? '');

    expect(await listFindingsOfCase('errors/ExclusiveDiverging_ParallelConverging#1')).to.include(
      'error never-joins ParallelGateway_2',
    );
    expect(await listFindingsOfCase('gateways/ParallelDiverging_ExclusiveConverging#1')).to.include(
      'warning merged-without-waiting ExclusiveGateway_2',
    );
  });
});
