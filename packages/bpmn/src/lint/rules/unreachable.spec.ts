import { expect } from 'chai';
import { border, drawn, saidBy } from '../lint.spec.support.js';

describe('Lint: unreachable', () => {
  it('should report the elements of a loop that no path from the start reaches', async () => {
    const xml = drawn(['start > a', 'a > e', 'x1 > round', 'round > x1']);

    expect(await saidBy('unreachable', xml)).to.have.members(['error x1', 'error round']);
  });

  it('should report nothing for links, boundary events, event sub-processes and compensation handlers', async () => {
    // given
    const link = (type: string, id: string) =>
      `<bpmn:${type} id="${id}"><bpmn:linkEventDefinition id="${id}Link" name="l"/></bpmn:${type}>`;
    const handler = `<bpmn:subProcess id="handler" triggeredByEvent="true"><bpmn:startEvent id="alarm"><bpmn:errorEventDefinition id="any"/></bpmn:startEvent>
      <bpmn:endEvent id="done"/><bpmn:sequenceFlow id="on" sourceRef="alarm" targetRef="done"/></bpmn:subProcess>`;
    const undone = `<bpmn:boundaryEvent id="undoes" attachedToRef="a"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>
      <bpmn:manualTask id="undo" isForCompensation="true"/><bpmn:association id="by" sourceRef="undoes" targetRef="undo" associationDirection="One"/>`;
    const more =
      link('intermediateThrowEvent', 'out') +
      link('intermediateCatchEvent', 'into') +
      border('late', 'a', true) +
      handler +
      undone;

    // when
    const said = await saidBy(
      'unreachable',
      drawn(['start > a', 'a > out', 'into > e', 'late > b', 'b > e'], more, ['out', 'into', 'late']),
    );

    // then
    expect(said).to.deep.equal([]);
  });
});
