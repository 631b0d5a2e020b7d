import { expect } from 'chai';
import { drawn, saidBy } from '../lint.spec.support.js';

const deciding = (id: string) =>
  drawn(
    ['start > rule', 'rule > e'],
    `<bpmn:businessRuleTask id="rule"><bpmn:extensionElements><zeebe:calledDecision decisionId="${id}" resultVariable="result"/></bpmn:extensionElements></bpmn:businessRuleTask>`,
    ['rule'],
  );

describe('Lint: missing-decision', () => {
  it('should report an unknown DMN decision', async () => {
    expect(await saidBy('missing-decision', deciding('discount'), { decisionIds: ['other'] })).to.deep.equal([
      'info rule',
    ]);
  });

  it('should report nothing if the DMN decision is known, computed or possibly deployed already', async () => {
    expect(await saidBy('missing-decision', deciding('discount'), { decisionIds: ['discount'] })).to.deep.equal([]);
    expect(await saidBy('missing-decision', deciding('=which'), { decisionIds: [] })).to.deep.equal([]);
    expect(await saidBy('missing-decision', deciding('discount'))).to.deep.equal([]);
  });
});
