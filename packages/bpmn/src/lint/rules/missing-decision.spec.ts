import { expect } from 'chai';
import { buildModel, lintWithRule } from '../lint.spec.support.js';

const modelWithDecision = (id: string) =>
  buildModel(
    ['start > rule', 'rule > e'],
    `<bpmn:businessRuleTask id="rule"><bpmn:extensionElements><zeebe:calledDecision decisionId="${id}" resultVariable="result"/></bpmn:extensionElements></bpmn:businessRuleTask>`,
    ['rule'],
  );

describe('Lint: missing-decision', () => {
  it('should report an unknown DMN decision', async () => {
    expect(
      await lintWithRule('missing-decision', modelWithDecision('discount'), { decisionIds: ['other'] }),
    ).to.deep.equal(['info rule']);
  });

  it('should report nothing if the DMN decision is available or its id is computed, or if the available DMN decisions are unknown', async () => {
    expect(
      await lintWithRule('missing-decision', modelWithDecision('discount'), { decisionIds: ['discount'] }),
    ).to.deep.equal([]);
    expect(await lintWithRule('missing-decision', modelWithDecision('=which'), { decisionIds: [] })).to.deep.equal([]);
    expect(await lintWithRule('missing-decision', modelWithDecision('discount'))).to.deep.equal([]);
  });
});
