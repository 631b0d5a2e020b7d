import { expect } from 'chai';
import { drawn, saidBy } from '../lint.spec.support.js';

describe('Lint: missing-end-event', () => {
  it('should name a process or a sub-process that starts and does not end', async () => {
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

  it('should say nothing of an ad-hoc sub-process, which has neither', async () => {
    const inner = '<bpmn:adHocSubProcess id="sub"><bpmn:manualTask id="t"/></bpmn:adHocSubProcess>';

    expect(await saidBy('missing-end-event', drawn(['start > sub', 'sub > e'], inner, ['sub']))).to.deep.equal([]);
  });
});
