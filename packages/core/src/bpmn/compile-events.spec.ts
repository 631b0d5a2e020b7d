import { expect } from 'chai';
import { MESSAGE, element, evaluate, flow, job, line, model, nodeOf, refusalsOf } from './models.spec.support.js';

function catchEvent(id: string, definition: string): string {
  return element('intermediateCatchEvent', id, '', definition);
}

function timer(property: string, text: string): string {
  return `<bpmn:timerEventDefinition><bpmn:${property}>${text}</bpmn:${property}></bpmn:timerEventDefinition>`;
}

describe('events of a model', () => {
  it('should compile end events', async () => {
    const xml = model(
      line(job('a'), 'a').replace(
        '<bpmn:endEvent id="end"/>',
        element('endEvent', 'end', '', '<bpmn:terminateEventDefinition/>'),
      ),
    );
    expect((await nodeOf(xml, 'end', 'endEvent')).throws).to.deep.equal([{ kind: 'terminate' }]);
    expect((await nodeOf(model(line(job('a'), 'a')), 'end', 'endEvent')).throws).to.deep.equal([]);
  });

  for (const waiting of [
    catchEvent('a', '<bpmn:messageEventDefinition messageRef="m"/>'),
    element('receiveTask', 'a', '', '', 'messageRef="m"'),
  ]) {
    it(`should wait for a message: ${waiting.slice(6, 18)}`, async () => {
      const { triggers: [trigger] } = await nodeOf(model(line(waiting, 'a'), MESSAGE), 'a', 'catch');
      if (trigger?.kind !== 'message' || trigger.correlationKey === null) throw new Error('no message with a key');
      expect(trigger.messageName).to.deep.equal({ literal: 'paid' });
      expect(evaluate(trigger.correlationKey, { order: { id: 'o-1' } })).to.equal('o-1');
    });
  }

  it('should wait for a timer', async () => {
    const duration = await nodeOf(model(line(catchEvent('a', timer('timeDuration', ' PT5M ')), 'a')), 'a', 'catch');
    expect(duration.triggers[0]).to.deep.equal({ kind: 'timer', timer: 'duration', value: { literal: 'PT5M' } });
    const date = await nodeOf(
      model(line(catchEvent('a', timer('timeDate', '2030-01-01T00:00:00Z')), 'a')),
      'a',
      'catch',
    );
    expect(date.triggers[0]).to.deep.include({ timer: 'date', value: { literal: '2030-01-01T00:00:00Z' } });
    const dynamic = await nodeOf(model(line(catchEvent('a', timer('timeDuration', '=patience')), 'a')), 'a', 'catch');
    const [trigger] = dynamic.triggers;
    expect(trigger?.kind === 'timer' && evaluate(trigger.value, { patience: 'PT1S' })).to.equal('PT1S');
  });

  const broken: readonly (readonly [string, string, string])[] = [
    ['a catch event that waits for nothing', catchEvent('a', ''), 'missing_event_definition'],
    ['a message event without message', catchEvent('a', '<bpmn:messageEventDefinition/>'), 'missing_message'],
    [
      'a message without correlation key',
      element('receiveTask', 'a', '', '', 'messageRef="bare"'),
      'missing_correlation_key',
    ],
    ['a literal correlation key', element('receiveTask', 'a', '', '', 'messageRef="literal"'), 'expression_expected'],
    ['a cycle', catchEvent('a', timer('timeCycle', 'R3/PT1H')), 'unsupported_timer'],
    ['a duration that is none', catchEvent('a', timer('timeDuration', '5 minutes')), 'invalid_timer'],
    ['a date without offset', catchEvent('a', timer('timeDate', '2030-01-01T00:00:00')), 'invalid_timer'],
    ['an empty timer', catchEvent('a', '<bpmn:timerEventDefinition/>'), 'invalid_timer'],
    ['a signal', catchEvent('a', '<bpmn:signalEventDefinition/>'), 'unsupported_element'],
    [
      'two triggers',
      catchEvent('a', timer('timeDuration', 'PT1S') + timer('timeDuration', 'PT2S')),
      'unsupported_element',
    ],
    ['a throw event', element('intermediateThrowEvent', 'a'), 'unsupported_element'],
  ];
  const messages = `${MESSAGE}<bpmn:message id="bare" name="b"/><bpmn:message id="literal" name="l"><bpmn:extensionElements>
    <zeebe:subscription correlationKey="key"/></bpmn:extensionElements></bpmn:message>`;
  for (const [what, event, code] of broken) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(model(line(event, 'a'), messages))).to.deep.equal([`a ${code}`]);
    });
  }

  it('should refuse start and end events with triggers', async () => {
    const start = element('startEvent', 'start', '', '<bpmn:messageEventDefinition messageRef="m"/>');
    const end = element('endEvent', 'end', '', '<bpmn:errorEventDefinition/>');
    const xml = model(start + end + flow('start', 'end'), MESSAGE);
    expect(await refusalsOf(xml)).to.include.members(['start unsupported_element', 'end unsupported_element']);
  });

  it('should refuse boundary events and the other containers by their id', async () => {
    const boundary = element('boundaryEvent', 'b', '', timer('timeDuration', 'PT1S'), 'attachedToRef="a"');
    const others = [
      'subProcess',
      'transaction',
      'adHocSubProcess',
      'callActivity',
      'inclusiveGateway',
      'eventBasedGateway',
      'complexGateway',
    ];
    const nodes = others.map((type) => element(type, type)).join('');
    expect(await refusalsOf(model(line(job('a') + boundary + nodes, 'a', ...others)))).to.have.members(
      ['b', ...others].map((id) => `${id} unsupported_element`),
    );
  });
});
