import { expect } from 'chai';
import { boundaryTimer, buildModel, lintWithRule } from '../lint.spec.support.js';

describe('Lint: unreachable', () => {
  it('should report the elements of a loop that no path from the start reaches', async () => {
    const xml = buildModel(['start > a', 'a > e', 'x1 > round', 'round > x1']);

    expect(await lintWithRule('unreachable', xml)).to.have.members(['error x1', 'error round']);
  });

  it('should report nothing for links, boundary events, event sub-processes and compensation handlers', async () => {
    // given
    const linkEvent = (type: string, id: string) =>
      `<bpmn:${type} id="${id}"><bpmn:linkEventDefinition id="${id}Link" name="l"/></bpmn:${type}>`;
    const handler = `<bpmn:subProcess id="handler" triggeredByEvent="true"><bpmn:startEvent id="alarm"><bpmn:errorEventDefinition id="any"/></bpmn:startEvent>
      <bpmn:endEvent id="done"/><bpmn:sequenceFlow id="on" sourceRef="alarm" targetRef="done"/></bpmn:subProcess>`;
    const compensationBoundary = `<bpmn:boundaryEvent id="undoes" attachedToRef="a"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>
      <bpmn:manualTask id="undo" isForCompensation="true"/><bpmn:association id="by" sourceRef="undoes" targetRef="undo" associationDirection="One"/>`;
    const extraElements =
      linkEvent('intermediateThrowEvent', 'out') +
      linkEvent('intermediateCatchEvent', 'into') +
      boundaryTimer('late', 'a', true) +
      handler +
      compensationBoundary;

    // when
    const findings = await lintWithRule(
      'unreachable',
      buildModel(['start > a', 'a > out', 'into > e', 'late > b', 'b > e'], extraElements, ['out', 'into', 'late']),
    );

    // then
    expect(findings).to.deep.equal([]);
  });
});
