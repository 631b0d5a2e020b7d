import { expect } from 'chai';
import { drawn, saidBy } from '../lint.spec.support.js';

describe('Lint: missing-end-event', () => {
  it('should report a process or a sub-process with a start event but no end event', async () => {
    const inner = (end: string) =>
      `<bpmn:subProcess id="sub"><bpmn:startEvent id="s"/><bpmn:${end} id="t"/><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="t"/></bpmn:subProcess>`;

    expect(await saidBy('missing-end-event', drawn(['start > a']))).to.deep.equal(['warning process']);
    expect(
      await saidBy('missing-end-event', drawn(['start > sub', 'sub > e'], inner('manualTask'), ['sub'])),
    ).to.deep.equal(['warning sub']);
    expect(
      await saidBy('missing-end-event', drawn(['start > sub', 'sub > e'], inner('endEvent'), ['sub'])),
    ).to.deep.equal([]);
  });

  it('should report nothing for an ad-hoc sub-process without start and end events', async () => {
    const inner = '<bpmn:adHocSubProcess id="sub"><bpmn:manualTask id="t"/></bpmn:adHocSubProcess>';

    expect(await saidBy('missing-end-event', drawn(['start > sub', 'sub > e'], inner, ['sub']))).to.deep.equal([]);
  });
});
