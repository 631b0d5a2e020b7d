import { expect } from 'chai';
import {
  compileModel,
  element,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  nestedScope,
  findProblemCodes,
} from './models.spec.support.js';

const COMPENSATION_HANDLER = element(
  'serviceTask',
  'undo',
  '<zeebe:taskDefinition type="undo"/>',
  '',
  'isForCompensation="true"',
);

function compensationBoundary(id: string, activityId = 'a'): string {
  return `<bpmn:boundaryEvent id="${id}" attachedToRef="${activityId}"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>`;
}

function association(source: string, target: string): string {
  return `<bpmn:association id="${source}.${target}" associationDirection="One" sourceRef="${source}" targetRef="${target}"/>`;
}

describe('compensation in a BPMN model', () => {
  it('should compile the compensation handler of an activity', async () => {
    // given
    const note = '<bpmn:textAnnotation id="note"><bpmn:text>why</bpmn:text></bpmn:textAnnotation>';
    const extraElements = compensationBoundary('b') + association('b', 'undo') + note + association('b', 'note');

    // when
    const graph = await compileModel(
      model(sequentialFlow(serviceTask('a') + COMPENSATION_HANDLER, 'a') + extraElements),
    );

    // then
    expect(graph.nodes.get('a')).to.deep.include({
      compensationHandler: 'undo',
      boundaryEvents: [],
      isForCompensation: false,
    });
    expect(graph.nodes.get('undo')).to.deep.include({ compensationHandler: null, isForCompensation: true });
  });

  it('should compile a compensation handler inside a sub-process when the association is outside', async () => {
    const sub = nestedScope(
      'subProcess',
      'sub',
      serviceTask('a') + compensationBoundary('b') + COMPENSATION_HANDLER,
      '',
      'a',
    );
    const graph = await compileModel(model(sequentialFlow(sub, 'sub') + association('b', 'undo')));
    expect(graph.nodes.get('a')?.compensationHandler).to.equal('undo');
  });

  const invalidCases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'a compensation event without a handler',
      sequentialFlow(serviceTask('a'), 'a') + compensationBoundary('b'),
      ['b missing_compensation_handler'],
    ],
    [
      'two compensation handlers of one activity',
      sequentialFlow(
        serviceTask('a') + COMPENSATION_HANDLER + COMPENSATION_HANDLER.replace('id="undo"', 'id="more"'),
        'a',
      ) +
        compensationBoundary('b') +
        association('b', 'undo') +
        association('b', 'more'),
      ['b several_compensation_handlers'],
    ],
    [
      'two compensation events at one activity',
      sequentialFlow(serviceTask('a') + COMPENSATION_HANDLER, 'a') +
        compensationBoundary('b') +
        compensationBoundary('c') +
        association('b', 'undo') +
        association('c', 'undo'),
      ['c several_compensations'],
    ],
    [
      'a handler without isForCompensation',
      sequentialFlow(serviceTask('a') + serviceTask('undo'), 'a') +
        compensationBoundary('b') +
        association('b', 'undo'),
      ['undo missing_incoming', 'b invalid_compensation_handler'],
    ],
    [
      'an event as a compensation handler',
      sequentialFlow(serviceTask('a'), 'a') + compensationBoundary('b') + association('b', 'end'),
      ['b invalid_compensation_handler'],
    ],
    [
      'a compensation handler in another scope',
      sequentialFlow(
        nestedScope('subProcess', 'sub', serviceTask('a') + compensationBoundary('b'), '', 'a') + COMPENSATION_HANDLER,
        'sub',
      ) + association('b', 'undo'),
      ['b invalid_compensation_handler', 'undo missing_association'],
    ],
    [
      'flows to and from a compensation handler',
      sequentialFlow(serviceTask('a') + COMPENSATION_HANDLER, 'a', 'undo') +
        compensationBoundary('b') +
        association('b', 'undo'),
      ['undo unexpected_incoming', 'undo unexpected_outgoing'],
    ],
    [
      'flows out of a compensation event',
      sequentialFlow(serviceTask('a') + COMPENSATION_HANDLER, 'a') +
        compensationBoundary('b') +
        association('b', 'undo') +
        flow('b', 'end'),
      ['b unexpected_outgoing'],
    ],
    [
      'a compensation handler without an association',
      sequentialFlow(serviceTask('a') + COMPENSATION_HANDLER, 'a'),
      ['undo missing_association'],
    ],
  ];
  for (const [title, content, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(model(content))).to.have.members(expected);
    });
  }
});
