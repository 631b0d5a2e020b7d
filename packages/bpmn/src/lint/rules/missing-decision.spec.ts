import { expect } from 'chai';
import { drawn, saidBy } from '../lint.spec.support.js';

const deciding = (id: string) =>
  drawn(
    ['start > rule', 'rule > e'],
    `<bpmn:businessRuleTask id="rule"><bpmn:extensionElements><zeebe:calledDecision decisionId="${id}" resultVariable="result"/></bpmn:extensionElements></bpmn:businessRuleTask>`,
    ['rule'],
  );

describe('Lint: missing-decision', () => {
  it('should mention a decision that is not at hand', async () => {
    expect(await saidBy('missing-decision', deciding('discount'), { decisionIds: ['other'] })).to.deep.equal([
      'info rule',
    ]);
  });

  it('should say nothing of what is at hand, is computed, or may be deployed already', async () => {
    expect(await saidBy('missing-decision', deciding('discount'), { decisionIds: ['discount'] })).to.deep.equal([]);
    expect(await saidBy('missing-decision', deciding('=which'), { decisionIds: [] })).to.deep.equal([]);
    expect(await saidBy('missing-decision', deciding('discount'))).to.deep.equal([]);
  });
});
