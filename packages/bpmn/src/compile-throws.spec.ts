import { expect } from 'chai';
import { coded, definition, message, ROOTS, signal, throwEvent, timer, within } from './events.spec.support.js';
import { compiled, element, evaluate, flow, job, line, model, nodeOf, refusalsOf } from './models.spec.support.js';

function thrown(definitions: string, extensions = ''): string {
  return model(line(throwEvent('a', definitions, extensions), 'a'), ROOTS);
}

function ended(definitions: string, extensions = ''): string {
  return model(
    '<bpmn:startEvent id="start"/>' + element('endEvent', 'end', extensions, definitions) + flow('start', 'end'),
    ROOTS,
  );
}

/** A sub-process of the given type that contains an end event `out`. */
function endedWithin(type: string, definitions: string): string {
  const inside = `<bpmn:startEvent id="in"/>${element('endEvent', 'out', '', definitions)}${flow('in', 'out')}`;
  return model(line(within(type, 'a', inside), 'a'), ROOTS);
}

const JOB = '<zeebe:taskDefinition type="send"/>';

describe('throw and end events', () => {
  it('should throw nothing without an event definition', async () => {
    expect((await nodeOf(thrown(''), 'a', 'throw')).throws).to.deep.equal([]);
    expect((await nodeOf(ended(''), 'end', 'endEvent')).throws).to.deep.equal([]);
  });

  it('should compile a terminate end event', async () => {
    const { throws } = await nodeOf(ended(definition('terminate')), 'end', 'endEvent');
    expect(throws).to.deep.equal([{ kind: 'terminate' }]);
  });

  it('should throw signals, escalations and errors with literal names or names in FEEL', async () => {
    const cases = [
      [signal('alarm'), { kind: 'signal', signalName: { literal: 'alarm' } }],
      [coded('escalation', 'late'), { kind: 'escalation', code: { literal: 'LATE' } }],
      [coded('error', 'broken'), { kind: 'error', code: { literal: 'BROKEN' } }],
    ] as const;
    for (const [definitions, expected] of cases) {
      expect((await nodeOf(ended(definitions), 'end', 'endEvent')).throws).to.deep.equal([expected]);
      if (expected.kind === 'error') continue;
      expect((await nodeOf(thrown(definitions), 'a', 'throw')).throws).to.deep.equal([expected]);
    }
    const [dynamic] = (await nodeOf(ended(coded('error', 'brokenBy')), 'end', 'endEvent')).throws;
    expect(dynamic?.kind === 'error' && evaluate(dynamic.code, { code: 'X' })).to.equal('X');
    const [named] = (await nodeOf(thrown(signal('alarmOf')), 'a', 'throw')).throws;
    expect(named?.kind === 'signal' && evaluate(named.signalName, { topic: 'fire' })).to.equal('fire');
  });

  it('should throw a message with the correlation key of its subscription, if there is a key', async () => {
    const [keyless] = (await nodeOf(thrown(message('opened')), 'a', 'throw')).throws;
    expect(keyless).to.deep.equal({ kind: 'message', messageName: { literal: 'opened' }, correlationKey: null });
    const [keyed] = (await nodeOf(ended(message('paid')), 'end', 'endEvent')).throws;
    if (keyed?.kind !== 'message' || keyed.correlationKey === null) throw new Error('no message with a key');
    expect(evaluate(keyed.correlationKey, { order: { id: 'o-1' } })).to.equal('o-1');
  });

  it('should compile a message event with a task definition to a job', async () => {
    const node = await nodeOf(thrown('<bpmn:messageEventDefinition/>', JOB), 'a', 'jobTask');
    expect(node).to.deep.include({ jobType: { literal: 'send' }, type: 'intermediateThrowEvent' });
    const end = await nodeOf(ended(message('paid'), JOB), 'end', 'jobTask');
    expect(end).to.deep.include({ type: 'endEvent', outgoing: [] });
  });

  it('should cancel the enclosing transaction at any nesting depth', async () => {
    const { throws } = await nodeOf(endedWithin('transaction', definition('cancel')), 'out', 'endEvent');
    expect(throws).to.deep.equal([{ kind: 'cancel' }]);
    expect(await refusalsOf(endedWithin('subProcess', definition('cancel')))).to.deep.equal(['out no_transaction']);
    const deep = `<bpmn:startEvent id="in"/>${within('subProcess', 'b', `<bpmn:startEvent id="bi"/>${element('endEvent', 'out', '', definition('cancel'))}${flow('bi', 'out')}`)}
      <bpmn:endEvent id="ao"/>${flow('in', 'b')}${flow('b', 'ao')}`;
    await nodeOf(model(line(within('transaction', 'a', deep), 'a')), 'out', 'endEvent');
  });

  it('should throw several events in document order', async () => {
    const { throws } = await nodeOf(
      thrown(signal('alarm') + message('opened') + coded('escalation', 'late')),
      'a',
      'throw',
    );
    expect(throws.map(({ kind }) => kind)).to.deep.equal(['signal', 'message', 'escalation']);
    const end = await nodeOf(ended(signal('alarm') + coded('error', 'broken')), 'end', 'endEvent');
    expect(end.throws.map(({ kind }) => kind)).to.deep.equal(['signal', 'error']);
    expect(await refusalsOf(ended(coded('error', 'broken') + signal('alarm')))).to.deep.equal([
      'end unreachable_throw',
    ]);
  });

  it('should throw an event that is defined outside the process', async () => {
    const shared = '<bpmn:errorEventDefinition id="shared" errorRef="broken"/>';
    const end = element('endEvent', 'end', '', '<bpmn:eventDefinitionRef>shared</bpmn:eventDefinitionRef>');
    const xml = model(`<bpmn:startEvent id="start"/>${end}${flow('start', 'end')}`, ROOTS + shared);
    expect((await nodeOf(xml, 'end', 'endEvent')).throws).to.deep.equal([
      { kind: 'error', code: { literal: 'BROKEN' } },
    ]);
  });

  const broken: readonly (readonly [string, string, string])[] = [
    ['a message event without a message or a job type', thrown('<bpmn:messageEventDefinition/>'), 'a missing_message'],
    ['a message without a name', thrown(message('nameless')), 'a missing_value'],
    ['a signal event without a signal', thrown(definition('signal')), 'a missing_signal'],
    ['an escalation event without an escalation', thrown(coded('escalation')), 'a missing_escalation'],
    ['an escalation without a code', thrown(coded('escalation', 'anyEscalation')), 'a missing_value'],
    ['an error event without an error', ended(coded('error')), 'end missing_error'],
    ['an error without a code', ended(coded('error', 'anyError')), 'end missing_value'],
    ['a job type on an event that throws no message', thrown(signal('alarm'), JOB), 'a unsupported_extension'],
    [
      'a job type for one of several event definitions',
      thrown(message('paid') + signal('alarm'), JOB),
      'a unsupported_extension',
    ],
    ['a timer as a throw event', thrown(timer('timeDuration', 'PT1S')), 'a impossible_event'],
    ...['error', 'cancel', 'terminate', 'conditional'].map(
      (kind) =>
        [`an intermediate throw event of kind ${kind}`, thrown(definition(kind)), 'a impossible_event'] as const,
    ),
    ...['timer', 'conditional', 'link'].map(
      (kind) => [`an end event of kind ${kind}`, ended(definition(kind)), 'end impossible_event'] as const,
    ),
  ];
  for (const [what, xml, refusal] of broken) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(xml)).to.include(refusal);
    });
  }
});

describe('compensation throw events', () => {
  const UNDO = element('serviceTask', 'undo', '<zeebe:taskDefinition type="undo"/>', '', 'isForCompensation="true"');
  const UNDONE =
    job('b') +
    element('boundaryEvent', 'border', '', definition('compensate'), 'attachedToRef="b"') +
    UNDO +
    '<bpmn:association id="as" associationDirection="One" sourceRef="border" targetRef="undo"/>';

  function compensating(attributes: string, before = UNDONE): string {
    return model(line(before + throwEvent('a', definition('compensate', attributes)), 'b', 'a'));
  }

  it('should compensate one activity or all, and wait for completion by default', async () => {
    const cases = [
      ['', { kind: 'compensation', activityRef: null, waitForCompletion: true }],
      ['waitForCompletion="false"', { kind: 'compensation', activityRef: null, waitForCompletion: false }],
      ['activityRef="b"', { kind: 'compensation', activityRef: 'b', waitForCompletion: true }],
    ] as const;
    for (const [attributes, expected] of cases) {
      expect((await nodeOf(compensating(attributes), 'a', 'throw')).throws).to.deep.equal([expected]);
    }
    const end = model(
      line(UNDONE, 'b').replace('<bpmn:endEvent id="end"/>', element('endEvent', 'end', '', definition('compensate'))),
    );
    expect((await nodeOf(end, 'end', 'endEvent')).throws.map(({ kind }) => kind)).to.deep.equal(['compensation']);
  });

  it('should compensate a sub-process', async () => {
    const sub = within('subProcess', 'b', `<bpmn:startEvent id="i"/><bpmn:endEvent id="o"/>${flow('i', 'o')}`);
    expect((await nodeOf(compensating('activityRef="b"', sub), 'a', 'throw')).throws).to.have.length(1);
  });

  it('should compensate an activity of the surrounding scope from an event sub-process', async () => {
    const handler = within(
      'subProcess',
      'h',
      `${element('startEvent', 'hs', '', signal('alarm'))}${element('endEvent', 'he', '', definition('compensate', 'activityRef="b"'))}${flow('hs', 'he')}`,
      'triggeredByEvent="true"',
    );
    const { nodes } = await compiled(model(line(UNDONE + handler, 'b'), ROOTS));
    expect(nodes.get('he')).to.deep.include({
      throws: [{ kind: 'compensation', activityRef: 'b', waitForCompletion: true }],
    });
  });

  it('should refuse elements that cannot be compensated', async () => {
    expect(await refusalsOf(compensating('activityRef="b"', job('b')))).to.deep.equal(['a invalid_compensation']);
    expect(await refusalsOf(compensating('activityRef="end"'))).to.deep.equal(['a invalid_compensation']);
    const inside = within(
      'subProcess',
      'b',
      `<bpmn:startEvent id="i"/>${job('deep')}<bpmn:endEvent id="o"/>${flow('i', 'deep')}${flow('deep', 'o')}`,
    );
    expect(await refusalsOf(compensating('activityRef="deep"', inside))).to.deep.equal(['a invalid_compensation']);
  });
});
