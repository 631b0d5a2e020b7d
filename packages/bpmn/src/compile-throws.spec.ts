import { expect } from 'chai';
import {
  codedDefinition,
  definition,
  message,
  ROOT_ELEMENTS,
  signal,
  throwEvent,
  timer,
  subProcessElement,
} from './events.spec.support.js';
import {
  compileModel,
  element,
  evaluate,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  requireNode,
  findProblemCodes,
} from './models.spec.support.js';

function throwModel(definitions: string, extensions = ''): string {
  return model(sequentialFlow(throwEvent('a', definitions, extensions), 'a'), ROOT_ELEMENTS);
}

function endModel(definitions: string, extensions = ''): string {
  return model(
    '<bpmn:startEvent id="start"/>' + element('endEvent', 'end', extensions, definitions) + flow('start', 'end'),
    ROOT_ELEMENTS,
  );
}

/** Returns a model with a sub-process of the given type that contains the end event `out`. */
function nestedEndModel(type: string, definitions: string): string {
  const subProcessContent = `<bpmn:startEvent id="in"/>${element('endEvent', 'out', '', definitions)}${flow('in', 'out')}`;
  return model(sequentialFlow(subProcessElement(type, 'a', subProcessContent), 'a'), ROOT_ELEMENTS);
}

const JOB_DEFINITION = '<zeebe:taskDefinition type="send"/>';

describe('throw and end events', () => {
  it('should throw nothing without an event definition', async () => {
    expect((await requireNode(throwModel(''), 'a', 'throw')).throws).to.deep.equal([]);
    expect((await requireNode(endModel(''), 'end', 'endEvent')).throws).to.deep.equal([]);
  });

  it('should compile a terminate end event', async () => {
    const { throws } = await requireNode(endModel(definition('terminate')), 'end', 'endEvent');
    expect(throws).to.deep.equal([{ kind: 'terminate' }]);
  });

  it('should throw signals, escalations and errors with literal or FEEL names and codes', async () => {
    const cases = [
      [signal('alarm'), { kind: 'signal', signalName: { literal: 'alarm' } }],
      [codedDefinition('escalation', 'late'), { kind: 'escalation', code: { literal: 'LATE' } }],
      [codedDefinition('error', 'broken'), { kind: 'error', code: { literal: 'BROKEN' } }],
    ] as const;
    for (const [definitions, expected] of cases) {
      expect((await requireNode(endModel(definitions), 'end', 'endEvent')).throws).to.deep.equal([expected]);
      if (expected.kind === 'error') continue;
      expect((await requireNode(throwModel(definitions), 'a', 'throw')).throws).to.deep.equal([expected]);
    }
    const [dynamicThrow] = (await requireNode(endModel(codedDefinition('error', 'brokenBy')), 'end', 'endEvent'))
      .throws;
    expect(dynamicThrow?.kind === 'error' && evaluate(dynamicThrow.code, { code: 'X' })).to.equal('X');
    const [signalThrow] = (await requireNode(throwModel(signal('alarmOf')), 'a', 'throw')).throws;
    expect(signalThrow?.kind === 'signal' && evaluate(signalThrow.signalName, { topic: 'fire' })).to.equal('fire');
  });

  it('should throw a message with the correlation key of its subscription, if there is a key', async () => {
    const [messageWithoutKey] = (await requireNode(throwModel(message('opened')), 'a', 'throw')).throws;
    expect(messageWithoutKey).to.deep.equal({
      kind: 'message',
      messageName: { literal: 'opened' },
      correlationKey: null,
    });
    const [messageWithKey] = (await requireNode(endModel(message('paid')), 'end', 'endEvent')).throws;
    if (messageWithKey?.kind !== 'message' || messageWithKey.correlationKey === null)
      throw new Error('Expected a message throw with a correlation key.');
    expect(evaluate(messageWithKey.correlationKey, { order: { id: 'o-1' } })).to.equal('o-1');
  });

  it('should compile a message event with a task definition to a job', async () => {
    const node = await requireNode(throwModel('<bpmn:messageEventDefinition/>', JOB_DEFINITION), 'a', 'jobTask');
    expect(node).to.deep.include({ jobType: { literal: 'send' }, type: 'intermediateThrowEvent' });
    const end = await requireNode(endModel(message('paid'), JOB_DEFINITION), 'end', 'jobTask');
    expect(end).to.deep.include({ type: 'endEvent', outgoing: [] });
  });

  it('should cancel the enclosing transaction at any nesting depth', async () => {
    const { throws } = await requireNode(nestedEndModel('transaction', definition('cancel')), 'out', 'endEvent');
    expect(throws).to.deep.equal([{ kind: 'cancel' }]);
    expect(await findProblemCodes(nestedEndModel('subProcess', definition('cancel')))).to.deep.equal([
      'out no_transaction',
    ]);
    const transactionContent = `<bpmn:startEvent id="in"/>${subProcessElement('subProcess', 'b', `<bpmn:startEvent id="bi"/>${element('endEvent', 'out', '', definition('cancel'))}${flow('bi', 'out')}`)}
      <bpmn:endEvent id="ao"/>${flow('in', 'b')}${flow('b', 'ao')}`;
    await requireNode(
      model(sequentialFlow(subProcessElement('transaction', 'a', transactionContent), 'a')),
      'out',
      'endEvent',
    );
  });

  it('should throw several events in document order', async () => {
    const { throws } = await requireNode(
      throwModel(signal('alarm') + message('opened') + codedDefinition('escalation', 'late')),
      'a',
      'throw',
    );
    expect(throws.map(({ kind }) => kind)).to.deep.equal(['signal', 'message', 'escalation']);
    const end = await requireNode(endModel(signal('alarm') + codedDefinition('error', 'broken')), 'end', 'endEvent');
    expect(end.throws.map(({ kind }) => kind)).to.deep.equal(['signal', 'error']);
    expect(await findProblemCodes(endModel(codedDefinition('error', 'broken') + signal('alarm')))).to.deep.equal([
      'end unreachable_throw',
    ]);
  });

  it('should throw an event whose definition is outside the process', async () => {
    const sharedDefinition = '<bpmn:errorEventDefinition id="shared" errorRef="broken"/>';
    const end = element('endEvent', 'end', '', '<bpmn:eventDefinitionRef>shared</bpmn:eventDefinitionRef>');
    const xml = model(`<bpmn:startEvent id="start"/>${end}${flow('start', 'end')}`, ROOT_ELEMENTS + sharedDefinition);
    expect((await requireNode(xml, 'end', 'endEvent')).throws).to.deep.equal([
      { kind: 'error', code: { literal: 'BROKEN' } },
    ]);
  });

  const invalidCases: readonly (readonly [string, string, string])[] = [
    [
      'a message event without a message or a job type',
      throwModel('<bpmn:messageEventDefinition/>'),
      'a missing_message',
    ],
    ['a message without a name', throwModel(message('nameless')), 'a missing_value'],
    ['a signal event without a signal', throwModel(definition('signal')), 'a missing_signal'],
    ['an escalation event without an escalation', throwModel(codedDefinition('escalation')), 'a missing_escalation'],
    ['an escalation without a code', throwModel(codedDefinition('escalation', 'anyEscalation')), 'a missing_value'],
    ['an error event without an error', endModel(codedDefinition('error')), 'end missing_error'],
    ['an error without a code', endModel(codedDefinition('error', 'anyError')), 'end missing_value'],
    [
      'a job type on an event that throws no message',
      throwModel(signal('alarm'), JOB_DEFINITION),
      'a unsupported_extension',
    ],
    [
      'a job type for one of several event definitions',
      throwModel(message('paid') + signal('alarm'), JOB_DEFINITION),
      'a unsupported_extension',
    ],
    ['a timer as a throw event', throwModel(timer('timeDuration', 'PT1S')), 'a impossible_event'],
    ...['error', 'cancel', 'terminate', 'conditional'].map(
      (kind) =>
        [`an intermediate throw event of kind ${kind}`, throwModel(definition(kind)), 'a impossible_event'] as const,
    ),
    ...['timer', 'conditional', 'link'].map(
      (kind) => [`an end event of kind ${kind}`, endModel(definition(kind)), 'end impossible_event'] as const,
    ),
  ];
  for (const [title, xml, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(xml)).to.include(expected);
    });
  }
});

describe('compensation throw events', () => {
  const COMPENSATION_HANDLER = element(
    'serviceTask',
    'undo',
    '<zeebe:taskDefinition type="undo"/>',
    '',
    'isForCompensation="true"',
  );
  const COMPENSATED_ACTIVITY =
    serviceTask('b') +
    element('boundaryEvent', 'border', '', definition('compensate'), 'attachedToRef="b"') +
    COMPENSATION_HANDLER +
    '<bpmn:association id="as" associationDirection="One" sourceRef="border" targetRef="undo"/>';

  function compensationModel(attributes: string, activities = COMPENSATED_ACTIVITY): string {
    return model(sequentialFlow(activities + throwEvent('a', definition('compensate', attributes)), 'b', 'a'));
  }

  it('should compensate one activity or all, and wait for completion by default', async () => {
    const cases = [
      ['', { kind: 'compensation', activityRef: null, waitForCompletion: true }],
      ['waitForCompletion="false"', { kind: 'compensation', activityRef: null, waitForCompletion: false }],
      ['activityRef="b"', { kind: 'compensation', activityRef: 'b', waitForCompletion: true }],
    ] as const;
    for (const [attributes, expected] of cases) {
      expect((await requireNode(compensationModel(attributes), 'a', 'throw')).throws).to.deep.equal([expected]);
    }
    const end = model(
      sequentialFlow(COMPENSATED_ACTIVITY, 'b').replace(
        '<bpmn:endEvent id="end"/>',
        element('endEvent', 'end', '', definition('compensate')),
      ),
    );
    expect((await requireNode(end, 'end', 'endEvent')).throws.map(({ kind }) => kind)).to.deep.equal(['compensation']);
  });

  it('should compensate a sub-process without a compensation boundary event', async () => {
    const subProcess = subProcessElement(
      'subProcess',
      'b',
      `<bpmn:startEvent id="i"/><bpmn:endEvent id="o"/>${flow('i', 'o')}`,
    );
    expect((await requireNode(compensationModel('activityRef="b"', subProcess), 'a', 'throw')).throws).to.have.length(
      1,
    );
  });

  it('should compensate an activity of the surrounding scope from an event sub-process', async () => {
    const eventSubProcess = subProcessElement(
      'subProcess',
      'h',
      `${element('startEvent', 'hs', '', signal('alarm'))}${element('endEvent', 'he', '', definition('compensate', 'activityRef="b"'))}${flow('hs', 'he')}`,
      'triggeredByEvent="true"',
    );
    const { nodes } = await compileModel(
      model(sequentialFlow(COMPENSATED_ACTIVITY + eventSubProcess, 'b'), ROOT_ELEMENTS),
    );
    expect(nodes.get('he')).to.deep.include({
      throws: [{ kind: 'compensation', activityRef: 'b', waitForCompletion: true }],
    });
  });

  it('should refuse elements that cannot be compensated', async () => {
    expect(await findProblemCodes(compensationModel('activityRef="b"', serviceTask('b')))).to.deep.equal([
      'a invalid_compensation',
    ]);
    expect(await findProblemCodes(compensationModel('activityRef="end"'))).to.deep.equal(['a invalid_compensation']);
    const subProcess = subProcessElement(
      'subProcess',
      'b',
      `<bpmn:startEvent id="i"/>${serviceTask('deep')}<bpmn:endEvent id="o"/>${flow('i', 'deep')}${flow('deep', 'o')}`,
    );
    expect(await findProblemCodes(compensationModel('activityRef="deep"', subProcess))).to.deep.equal([
      'a invalid_compensation',
    ]);
  });
});
