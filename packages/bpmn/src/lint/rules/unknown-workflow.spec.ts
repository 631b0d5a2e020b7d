import { expect } from 'chai';
import { drawn, saidBy } from '../lint.spec.support.js';

const calling = (id: string) =>
  drawn(
    ['start > call', 'call > e'],
    `<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="${id}"/></bpmn:extensionElements></bpmn:callActivity>`,
    ['call'],
  );

describe('Lint: unknown-workflow', () => {
  it('should report a call of an unknown workflow', async () => {
    expect(await saidBy('unknown-workflow', calling('other'), { workflowIds: ['third'] })).to.deep.equal(['info call']);
  });

  it('should report nothing if the workflow is known, computed or possibly deployed already', async () => {
    expect(await saidBy('unknown-workflow', calling('other'), { workflowIds: ['other'] })).to.deep.equal([]);
    expect(await saidBy('unknown-workflow', calling('process'), { workflowIds: [] })).to.deep.equal([]);
    expect(await saidBy('unknown-workflow', calling('=other'), { workflowIds: [] })).to.deep.equal([]);
    expect(await saidBy('unknown-workflow', calling('other'))).to.deep.equal([]);
  });
});
