import { ToolError } from '@countersign/core/plugin';
import { expect } from 'chai';
import { RunInputsTool } from './run-inputs-tool.js';
import { callTool, captureError } from './tools.spec.support.js';

describe('RunInputsTool', () => {
  const tool = new RunInputsTool();
  const run = {
    variables: { order: 'a1', issue: { title: 'Broken' }, amount: 5 },
    inputs: { amount: 7 },
    taints: { issue: ['webhook', 'upload'], order: ['upload'] },
  };

  it('should return all variables and inputs of the step with the union of their taints', async () => {
    expect(await callTool(tool, {}, run)).to.eql({
      content: { variables: { order: 'a1', issue: { title: 'Broken' }, amount: 7 } },
      taint: ['upload', 'webhook'],
    });
  });

  it('should return one variable with only its own taints', async () => {
    expect(await callTool(tool, { name: 'order' }, run)).to.eql({
      content: { variables: { order: 'a1' } },
      taint: ['upload'],
    });
    expect(await callTool(tool, { name: 'amount' }, run)).to.eql({ content: { variables: { amount: 7 } }, taint: [] });
  });

  for (const name of ['orders', 'toString', '__proto__', 'constructor']) {
    it(`should report to the language model that there is no variable ${name}`, async () => {
      expect(await captureError(callTool(tool, { name }, run)))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'variable_not_found' });
    });
  }

  it('should refuse to return too much data, and list the variable names', async () => {
    const refusal = await captureError(callTool(tool, {}, { variables: { small: 1, large: 'x'.repeat(300_000) } }));

    expect(refusal).to.be.instanceOf(ToolError).and.include({ code: 'variables_too_large' });
    expect((refusal as Error).message).to.include('small, large');
  });
});
