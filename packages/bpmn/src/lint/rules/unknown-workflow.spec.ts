import { expect } from 'chai';
import { buildModel, lintWithRule } from '../lint.spec.support.js';

const modelWithCall = (id: string) =>
  buildModel(
    ['start > call', 'call > e'],
    `<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="${id}"/></bpmn:extensionElements></bpmn:callActivity>`,
    ['call'],
  );

describe('Lint: unknown-workflow', () => {
  it('should report a call of an unknown workflow', async () => {
    expect(await lintWithRule('unknown-workflow', modelWithCall('other'), { workflowIds: ['third'] })).to.deep.equal([
      'info call',
    ]);
  });

  it('should report nothing if the workflow is available or its id is computed, or if the available workflows are unknown', async () => {
    expect(await lintWithRule('unknown-workflow', modelWithCall('other'), { workflowIds: ['other'] })).to.deep.equal(
      [],
    );
    expect(await lintWithRule('unknown-workflow', modelWithCall('process'), { workflowIds: [] })).to.deep.equal([]);
    expect(await lintWithRule('unknown-workflow', modelWithCall('=other'), { workflowIds: [] })).to.deep.equal([]);
    expect(await lintWithRule('unknown-workflow', modelWithCall('other'))).to.deep.equal([]);
  });
});
