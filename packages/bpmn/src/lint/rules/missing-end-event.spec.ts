import { expect } from 'chai';
import { buildModel, lintWithRule } from '../lint.spec.support.js';

describe('Lint: missing-end-event', () => {
  it('should report a process or a sub-process with a start event but no end event', async () => {
    const subProcess = (end: string) =>
      `<bpmn:subProcess id="sub"><bpmn:startEvent id="s"/><bpmn:${end} id="t"/><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="t"/></bpmn:subProcess>`;

    expect(await lintWithRule('missing-end-event', buildModel(['start > a']))).to.deep.equal(['warning process']);
    expect(
      await lintWithRule(
        'missing-end-event',
        buildModel(['start > sub', 'sub > e'], subProcess('manualTask'), ['sub']),
      ),
    ).to.deep.equal(['warning sub']);
    expect(
      await lintWithRule('missing-end-event', buildModel(['start > sub', 'sub > e'], subProcess('endEvent'), ['sub'])),
    ).to.deep.equal([]);
  });

  it('should report nothing for an ad-hoc sub-process without start and end events', async () => {
    const subProcess = '<bpmn:adHocSubProcess id="sub"><bpmn:manualTask id="t"/></bpmn:adHocSubProcess>';

    expect(
      await lintWithRule('missing-end-event', buildModel(['start > sub', 'sub > e'], subProcess, ['sub'])),
    ).to.deep.equal([]);
  });
});
