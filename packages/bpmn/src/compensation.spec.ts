import { expect } from 'chai';
import { compiled, element, flow, job, line, model, nested, refusalsOf } from './models.spec.support.js';

const UNDO = element('serviceTask', 'undo', '<zeebe:taskDefinition type="undo"/>', '', 'isForCompensation="true"');

function border(id: string, host = 'a'): string {
  return `<bpmn:boundaryEvent id="${id}" attachedToRef="${host}"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>`;
}

function association(source: string, target: string): string {
  return `<bpmn:association id="${source}.${target}" associationDirection="One" sourceRef="${source}" targetRef="${target}"/>`;
}

describe('compensation in a BPMN model', () => {
  it('should compile the compensation handler of an activity', async () => {
    // given
    const note = '<bpmn:textAnnotation id="note"><bpmn:text>why</bpmn:text></bpmn:textAnnotation>';
    const around = border('b') + association('b', 'undo') + note + association('b', 'note');

    // when
    const graph = await compiled(model(line(job('a') + UNDO, 'a') + around));

    // then
    expect(graph.nodes.get('a')).to.deep.include({
      compensationHandler: 'undo',
      boundaryEvents: [],
      isForCompensation: false,
    });
    expect(graph.nodes.get('undo')).to.deep.include({ compensationHandler: null, isForCompensation: true });
  });

  it('should compile a compensation handler inside a sub-process when the association is outside', async () => {
    const sub = nested('subProcess', 'sub', job('a') + border('b') + UNDO, '', 'a');
    const graph = await compiled(model(line(sub, 'sub') + association('b', 'undo')));
    expect(graph.nodes.get('a')?.compensationHandler).to.equal('undo');
  });

  const refused: readonly (readonly [string, string, readonly string[]])[] = [
    ['a compensation event without a handler', line(job('a'), 'a') + border('b'), ['b missing_compensation_handler']],
    [
      'two compensation handlers of one activity',
      line(job('a') + UNDO + UNDO.replace('id="undo"', 'id="more"'), 'a') +
        border('b') +
        association('b', 'undo') +
        association('b', 'more'),
      ['b several_compensation_handlers'],
    ],
    [
      'two compensation events at one activity',
      line(job('a') + UNDO, 'a') + border('b') + border('c') + association('b', 'undo') + association('c', 'undo'),
      ['c several_compensations'],
    ],
    [
      'a handler without isForCompensation',
      line(job('a') + job('undo'), 'a') + border('b') + association('b', 'undo'),
      ['undo missing_incoming', 'b invalid_compensation_handler'],
    ],
    [
      'an event as a compensation handler',
      line(job('a'), 'a') + border('b') + association('b', 'end'),
      ['b invalid_compensation_handler'],
    ],
    [
      'a compensation handler in another scope',
      line(nested('subProcess', 'sub', job('a') + border('b'), '', 'a') + UNDO, 'sub') + association('b', 'undo'),
      ['b invalid_compensation_handler', 'undo missing_association'],
    ],
    [
      'flows to and from a compensation handler',
      line(job('a') + UNDO, 'a', 'undo') + border('b') + association('b', 'undo'),
      ['undo unexpected_incoming', 'undo unexpected_outgoing'],
    ],
    [
      'flows out of a compensation event',
      line(job('a') + UNDO, 'a') + border('b') + association('b', 'undo') + flow('b', 'end'),
      ['b unexpected_outgoing'],
    ],
    ['a compensation handler without an association', line(job('a') + UNDO, 'a'), ['undo missing_association']],
  ];
  for (const [what, content, expected] of refused) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(model(content))).to.have.members(expected);
    });
  }
});
