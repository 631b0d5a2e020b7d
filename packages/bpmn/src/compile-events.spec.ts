import { expect } from 'chai';
import {
  catchEvent,
  codedDefinition,
  condition,
  definition,
  message,
  ROOT_ELEMENTS,
  signal,
  timer,
  subProcessElement,
} from './events.spec.support.js';
import {
  element,
  evaluate,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  requireNode,
  findProblems,
  findProblemCodes,
} from './models.spec.support.js';

/** Returns a process with one event between its start and end events. */
function modelWithEvent(event: string): string {
  return model(sequentialFlow(event, 'a'), ROOT_ELEMENTS);
}

describe('intermediate catch events and receive tasks', () => {
  for (const waitingElement of [
    catchEvent('a', message('paid')),
    element('receiveTask', 'a', '', '', 'messageRef="paid"'),
  ]) {
    it(`should wait for a message: ${waitingElement.slice(6, 18)}`, async () => {
      const {
        triggers: [trigger],
      } = await requireNode(modelWithEvent(waitingElement), 'a', 'catch');
      if (trigger?.kind !== 'message' || trigger.correlationKey === null)
        throw new Error('Expected a message trigger with a correlation key.');
      expect(trigger.messageName).to.deep.equal({ literal: 'paid' });
      expect(evaluate(trigger.correlationKey, { order: { id: 'o-1' } })).to.equal('o-1');
    });
  }

  it('should wait for a signal with a literal name or a name in FEEL', async () => {
    const literal = await requireNode(modelWithEvent(catchEvent('a', signal('alarm'))), 'a', 'catch');
    expect(literal.triggers).to.deep.equal([{ kind: 'signal', signalName: { literal: 'alarm' } }]);
    const {
      triggers: [trigger],
    } = await requireNode(modelWithEvent(catchEvent('a', signal('alarmOf'))), 'a', 'catch');
    expect(trigger?.kind === 'signal' && evaluate(trigger.signalName, { topic: 'fire' })).to.equal('fire');
  });

  it('should wait for a condition', async () => {
    const {
      triggers: [trigger],
    } = await requireNode(modelWithEvent(catchEvent('a', condition('=stock > 3'))), 'a', 'catch');
    expect(trigger?.kind === 'condition' && evaluate(trigger.condition, { stock: 4 })).to.equal(true);
  });

  it('should wait for any of several events, or for all of them when parallelMultiple is set', async () => {
    const definitions = message('paid') + timer('timeDuration', 'PT1H');
    const anyEvent = await requireNode(modelWithEvent(catchEvent('a', definitions)), 'a', 'catch');
    expect(anyEvent.triggers.map(({ kind }) => kind)).to.deep.equal(['message', 'timer']);
    expect(anyEvent.parallelMultiple).to.equal(false);
    const allEvents = await requireNode(
      modelWithEvent(catchEvent('a', definitions, 'parallelMultiple="true"')),
      'a',
      'catch',
    );
    expect(allEvents.parallelMultiple).to.equal(true);
    const singleEvent = await requireNode(
      modelWithEvent(catchEvent('a', message('paid'), 'parallelMultiple="true"')),
      'a',
      'catch',
    );
    expect(singleEvent.parallelMultiple).to.equal(false);
  });

  it('should accept a reference to an event definition outside the process', async () => {
    const shared = `<bpmn:signalEventDefinition id="shared" signalRef="alarm"/>`;
    const event = catchEvent('a', '<bpmn:eventDefinitionRef>shared</bpmn:eventDefinitionRef>');
    const node = await requireNode(model(sequentialFlow(event, 'a'), ROOT_ELEMENTS + shared), 'a', 'catch');
    expect(node.triggers).to.deep.equal([{ kind: 'signal', signalName: { literal: 'alarm' } }]);
  });

  it('should accept an operation only if it exchanges the same message as the event', async () => {
    const operation = (inMessageRef: string): string =>
      `<bpmn:interface id="i" name="i"><bpmn:operation id="o" name="o"><bpmn:inMessageRef>${inMessageRef}</bpmn:inMessageRef></bpmn:operation></bpmn:interface>`;
    const event = catchEvent(
      'a',
      '<bpmn:messageEventDefinition messageRef="paid"><bpmn:operationRef>o</bpmn:operationRef></bpmn:messageEventDefinition>',
    );
    await requireNode(model(sequentialFlow(event, 'a'), ROOT_ELEMENTS + operation('paid')), 'a', 'catch');
    expect(
      await findProblemCodes(model(sequentialFlow(event, 'a'), ROOT_ELEMENTS + operation('shipped'))),
    ).to.deep.equal(['a message_mismatch']);
  });

  const invalidCases: readonly (readonly [string, string, string])[] = [
    ['a catch event without an event definition', catchEvent('a', ''), 'missing_event_definition'],
    ['a message event without a message', catchEvent('a', '<bpmn:messageEventDefinition/>'), 'missing_message'],
    ['a message without a name', catchEvent('a', message('nameless')), 'missing_value'],
    [
      'a message without a correlation key',
      element('receiveTask', 'a', '', '', 'messageRef="opened"'),
      'missing_correlation_key',
    ],
    [
      'a literal correlation key',
      element('receiveTask', 'a', '', '', 'messageRef="literalKey"'),
      'expression_expected',
    ],
    ['a signal event without a signal', catchEvent('a', '<bpmn:signalEventDefinition/>'), 'missing_signal'],
    ['a signal without a name', catchEvent('a', signal('namelessAlarm')), 'missing_value'],
    [
      'an empty condition',
      catchEvent('a', '<bpmn:conditionalEventDefinition><bpmn:condition/></bpmn:conditionalEventDefinition>'),
      'missing_value',
    ],
    ['a condition that is not FEEL', catchEvent('a', condition('stock is low')), 'expression_expected'],
    [
      'a condition in another language',
      catchEvent('a', condition('=x').replace('">', '" language="groovy">')),
      'foreign_script',
    ],
    ['an invalid condition', catchEvent('a', condition('=stock >')), 'invalid_expression'],
    [
      'a filter on a condition',
      catchEvent(
        'a',
        condition('=x').replace(
          '<bpmn:condition ',
          '<bpmn:extensionElements><zeebe:conditionalFilter variableNames="x"/></bpmn:extensionElements><bpmn:condition ',
        ),
      ),
      'unsupported_extension',
    ],
    ['the same signal twice', catchEvent('a', signal('alarm') + signal('alarm')), 'duplicate_event'],
    ...['error', 'escalation', 'cancel', 'compensate', 'terminate'].map(
      (kind) => [`a catch event of kind ${kind}`, catchEvent('a', definition(kind)), 'impossible_event'] as const,
    ),
    [
      'a link with a second event definition',
      catchEvent('a', definition('link', 'name="l"') + signal('alarm')),
      'impossible_event',
    ],
  ];
  for (const [title, event, code] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(modelWithEvent(event))).to.include(`a ${code}`);
    });
  }

  it('should refuse a reference to an event definition that belongs to another event', async () => {
    const otherEvent = catchEvent('b', '<bpmn:signalEventDefinition id="own" signalRef="alarm"/>');
    const event = catchEvent('a', '<bpmn:eventDefinitionRef>own</bpmn:eventDefinitionRef>');
    expect(await findProblemCodes(model(sequentialFlow(otherEvent + event, 'b', 'a'), ROOT_ELEMENTS))).to.deep.equal([
      'a invalid_definition_ref',
    ]);
  });

  it('should refuse two events for the same message after an event-based gateway', async () => {
    const gateway = element('eventBasedGateway', 'g');
    const content = `<bpmn:startEvent id="start"/>${gateway}${catchEvent('a', message('paid'))}${catchEvent('b', message('paid'))}
      <bpmn:endEvent id="end"/>${flow('start', 'g')}${flow('g', 'a')}${flow('g', 'b')}${flow('a', 'end')}${flow('b', 'end')}`;
    expect(await findProblemCodes(model(content, ROOT_ELEMENTS))).to.deep.equal(['b duplicate_event']);
  });

  it('should refuse message flows in the wrong direction', async () => {
    const collaboration = `<bpmn:collaboration id="all"><bpmn:participant id="us" processRef="process"/><bpmn:participant id="them"/>
      <bpmn:messageFlow id="f1" sourceRef="a" targetRef="them"/><bpmn:messageFlow id="f2" sourceRef="them" targetRef="end"/></bpmn:collaboration>`;
    const xml = model(sequentialFlow(catchEvent('a', message('paid')), 'a'), ROOT_ELEMENTS + collaboration);
    expect(await findProblemCodes(xml)).to.have.members(['a impossible_message_flow', 'end impossible_message_flow']);
  });

  it('should refuse message flows of an element that cannot send or receive messages', async () => {
    const collaboration = `<bpmn:collaboration id="all"><bpmn:participant id="us" processRef="process"/><bpmn:participant id="them"/>
      <bpmn:messageFlow id="f1" sourceRef="g" targetRef="them"/><bpmn:messageFlow id="f2" sourceRef="a" targetRef="us"/></bpmn:collaboration>`;
    const xml = model(
      sequentialFlow(element('parallelGateway', 'g') + element('task', 'a'), 'g', 'a'),
      ROOT_ELEMENTS + collaboration,
    );
    expect(await findProblemCodes(xml)).to.deep.equal(['g impossible_message_flow']);
  });
});

describe('start events', () => {
  /** Returns a process that starts with the event. */
  function modelWithStart(definitions: string, attributes = ''): string {
    return model(
      element('startEvent', 'start', '', definitions, attributes) + '<bpmn:endEvent id="end"/>' + flow('start', 'end'),
      ROOT_ELEMENTS,
    );
  }

  it('should start runs by a message with a constant name and without a correlation key', async () => {
    const literal = { kind: 'message', messageName: { literal: 'opened' }, correlationKey: null };
    for (const ref of ['opened', 'computed']) {
      const { triggers } = await requireNode(modelWithStart(message(ref)), 'start', 'startEvent');
      expect(triggers).to.deep.equal([literal]);
    }
  });

  it('should start runs by a signal or a timer', async () => {
    const { triggers, interrupting } = await requireNode(modelWithStart(signal('alarm')), 'start', 'startEvent');
    expect(triggers).to.deep.equal([{ kind: 'signal', signalName: { literal: 'alarm' } }]);
    expect(interrupting).to.equal(true);
    for (const [property, timerKind, timerValue] of [
      ['timeCycle', 'cycle', '0 0 9 * * MON-FRI'],
      ['timeDate', 'date', '2030-01-01T00:00:00Z'],
      ['timeDuration', 'duration', 'PT1M'],
    ] as const) {
      const start = await requireNode(modelWithStart(timer(property, timerValue)), 'start', 'startEvent');
      expect(start.triggers).to.deep.equal([{ kind: 'timer', timer: timerKind, value: { literal: timerValue } }]);
    }
    const {
      triggers: [dynamicTrigger],
    } = await requireNode(modelWithStart(timer('timeCycle', '="R/" + "PT1H"')), 'start', 'startEvent');
    expect(dynamicTrigger?.kind === 'timer' && evaluate(dynamicTrigger.value, {})).to.equal('R/PT1H');
  });

  it('should start runs by any of several events, or by all of them when parallelMultiple is set', async () => {
    const anyEvent = await requireNode(
      modelWithStart(message('opened') + timer('timeCycle', 'R/P1D')),
      'start',
      'startEvent',
    );
    expect(anyEvent.triggers.map(({ kind }) => kind)).to.deep.equal(['message', 'timer']);
    const allEvents = await requireNode(
      modelWithStart(message('paid') + message('shipped'), 'parallelMultiple="true"'),
      'start',
      'startEvent',
    );
    expect(allEvents.parallelMultiple).to.equal(true);
    const {
      triggers: [trigger],
    } = await requireNode(modelWithStart(condition('=stock &lt; 3') + message('opened')), 'start', 'startEvent');
    expect(trigger?.kind === 'condition' && evaluate(trigger.condition, { stock: 2 })).to.equal(true);
  });

  it('should start runs by an instantiating receive task if it has no incoming flow', async () => {
    const receive = element('receiveTask', 'a', '', '', 'messageRef="opened" instantiate="true"');
    const xml = model(receive + '<bpmn:endEvent id="end"/>' + flow('a', 'end'), ROOT_ELEMENTS);
    const { triggers } = await requireNode(xml, 'a', 'catch');
    expect(triggers).to.deep.equal([{ kind: 'message', messageName: { literal: 'opened' }, correlationKey: null }]);
    expect(await findProblemCodes(model(sequentialFlow(receive, 'a'), ROOT_ELEMENTS))).to.include(
      'a unexpected_incoming',
    );
  });

  it('should start runs by events after an event-based gateway, with correlation keys if it is parallel', async () => {
    const modelWithGateway = (type: string, first: string, second: string): string => {
      const gateway = element('eventBasedGateway', 'g', '', '', `instantiate="true" eventGatewayType="${type}"`);
      const content = `${gateway}${catchEvent('a', message(first))}${catchEvent('b', message(second))}
        <bpmn:endEvent id="end"/>${flow('g', 'a')}${flow('g', 'b')}${flow('a', 'end')}${flow('b', 'end')}`;
      return model(content, ROOT_ELEMENTS);
    };
    const node = await requireNode(modelWithGateway('Exclusive', 'opened', 'paid'), 'a', 'catch');
    expect(node.triggers).to.deep.equal([
      { kind: 'message', messageName: { literal: 'opened' }, correlationKey: null },
    ]);
    await requireNode(modelWithGateway('Parallel', 'paid', 'shipped'), 'b', 'catch');
    expect(await findProblemCodes(modelWithGateway('Parallel', 'opened', 'shipped'))).to.deep.equal([
      'a missing_correlation_key',
    ]);
  });

  const invalidCases: readonly (readonly [string, string, string])[] = [
    ['a message whose name reads variables', modelWithStart(message('variable')), 'constant_expected'],
    ['a message whose name depends on the time', modelWithStart(message('dated')), 'constant_expected'],
    ['a signal whose name reads variables', modelWithStart(signal('alarmOf')), 'constant_expected'],
    ['a timer that reads variables', modelWithStart(timer('timeCycle', '=pace')), 'invalid_timer'],
    [
      'a condition in a parallel multiple event',
      modelWithStart(condition('=stock &lt; 3') + message('paid'), 'parallelMultiple="true"'),
      'unsupported_event',
    ],
    ['an empty condition', modelWithStart(condition('')), 'missing_value'],
    [
      'messages without correlation keys in a parallel multiple event',
      modelWithStart(message('opened') + message('paid'), 'parallelMultiple="true"'),
      'missing_correlation_key',
    ],
    ['the same message twice', modelWithStart(message('opened') + message('opened')), 'duplicate_event'],
    [
      'isInterrupting="false" in a process',
      modelWithStart(message('opened'), 'isInterrupting="false"'),
      'unexpected_property',
    ],
    ...['error', 'escalation', 'cancel', 'compensate', 'terminate', 'link'].map(
      (kind) => [`a start event of kind ${kind}`, modelWithStart(definition(kind)), 'impossible_event'] as const,
    ),
  ];
  for (const [title, xml, code] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(xml)).to.include(`start ${code}`);
    });
  }

  it('should refuse two start events for the same message', async () => {
    const starts = ['one', 'two']
      .map((id) => element('startEvent', id, '', message('opened')) + flow(id, 'end'))
      .join('');
    expect(await findProblemCodes(model(starts + '<bpmn:endEvent id="end"/>', ROOT_ELEMENTS))).to.deep.equal([
      'two duplicate_event',
    ]);
  });

  it('should refuse input mappings', async () => {
    const mapping = '<zeebe:ioMapping><zeebe:input source="=a" target="b"/></zeebe:ioMapping>';
    const xml = model(element('startEvent', 'start', mapping) + '<bpmn:endEvent id="end"/>' + flow('start', 'end'));
    expect(await findProblemCodes(xml)).to.deep.equal(['start unsupported_mapping']);
  });
});

describe('start events of event sub-processes', () => {
  function eventSubProcess(id: string, definitions: string, attributes = ''): string {
    const start = element('startEvent', `${id}-start`, '', definitions, attributes);
    return subProcessElement(
      'subProcess',
      id,
      `${start}<bpmn:endEvent id="${id}-end"/>${flow(`${id}-start`, `${id}-end`)}`,
      'triggeredByEvent="true"',
    );
  }

  /** Returns a process with one job and the event sub-processes. */
  function modelWithEventSubProcesses(...eventSubProcesses: readonly string[]): string {
    return model(sequentialFlow(serviceTask('a') + eventSubProcesses.join(''), 'a'), ROOT_ELEMENTS);
  }

  const kinds: readonly (readonly [string, string, boolean])[] = [
    ['message', message('paid'), true],
    ['timer', timer('timeDuration', 'PT1H'), true],
    ['signal', signal('alarm'), true],
    ['error', codedDefinition('error', 'broken'), false],
    ['escalation', codedDefinition('escalation', 'late'), true],
    ['condition', condition('=stock = 0'), true],
  ];
  for (const [kind, definitions, canBeNonInterrupting] of kinds) {
    it(`should compile a trigger of kind ${kind}`, async () => {
      const start = await requireNode(
        modelWithEventSubProcesses(eventSubProcess('h', definitions)),
        'h-start',
        'startEvent',
      );
      expect(start.triggers.map((trigger) => trigger.kind)).to.deep.equal([kind]);
      expect(start.interrupting).to.equal(true);
      const nonInterrupting = modelWithEventSubProcesses(eventSubProcess('h', definitions, 'isInterrupting="false"'));
      if (canBeNonInterrupting)
        expect((await requireNode(nonInterrupting, 'h-start', 'startEvent')).interrupting).to.equal(false);
      else expect(await findProblemCodes(nonInterrupting)).to.deep.equal(['h-start must_interrupt']);
    });
  }

  it('should be triggered by compensation in a sub-process but not at process level', async () => {
    const compensationSubProcess = eventSubProcess('h', definition('compensate'));
    const content = subProcessElement(
      'subProcess',
      'a',
      sequentialFlow(serviceTask('b') + compensationSubProcess, 'b')
        .replaceAll(/"(start|end|start-b|b-end)"/g, '"in-$1"')
        .replaceAll(/Ref="(start|end)"/g, 'Ref="in-$1"'),
    );
    const start = await requireNode(model(sequentialFlow(content, 'a'), ROOT_ELEMENTS), 'h-start', 'startEvent');
    expect(start.triggers).to.deep.equal([{ kind: 'compensation' }]);
    expect(await findProblemCodes(modelWithEventSubProcesses(compensationSubProcess))).to.deep.equal([
      'h-start impossible_event',
    ]);
  });

  it('should allow a repeating timer only on a non-interrupting start event', async () => {
    const cycle = timer('timeCycle', 'R4/PT5S');
    const nonInterrupting = await requireNode(
      modelWithEventSubProcesses(eventSubProcess('h', cycle, 'isInterrupting="false"')),
      'h-start',
      'startEvent',
    );
    expect(nonInterrupting.triggers).to.deep.equal([{ kind: 'timer', timer: 'cycle', value: { literal: 'R4/PT5S' } }]);
    expect(await findProblemCodes(modelWithEventSubProcesses(eventSubProcess('h', cycle)))).to.deep.equal([
      'h-start must_not_repeat',
    ]);
  });

  it('should require a correlation key for a message', async () => {
    expect(await findProblemCodes(modelWithEventSubProcesses(eventSubProcess('h', message('opened'))))).to.deep.equal([
      'h-start missing_correlation_key',
    ]);
  });

  for (const [title, definitions] of [
    ['message', message('paid')],
    ['signal', signal('alarm')],
    ['error', codedDefinition('error', 'broken')],
    ['any error', codedDefinition('error')],
    ['escalation', codedDefinition('escalation', 'late')],
    ['any escalation', codedDefinition('escalation', 'anyEscalation')],
  ] as const) {
    it(`should refuse two start events for the same trigger in one scope: ${title}`, async () => {
      const xml = modelWithEventSubProcesses(eventSubProcess('h', definitions), eventSubProcess('i', definitions));
      expect(await findProblemCodes(xml)).to.deep.equal(['i-start duplicate_event']);
    });
  }

  it('should refuse events that cannot start an event sub-process', async () => {
    for (const kind of ['cancel', 'terminate', 'link']) {
      expect(
        await findProblemCodes(modelWithEventSubProcesses(eventSubProcess('h', definition(kind)))),
        kind,
      ).to.include('h-start impossible_event');
    }
    expect(await findProblemCodes(modelWithEventSubProcesses(eventSubProcess('h', '')))).to.deep.equal([
      'h-start missing_trigger',
    ]);
  });

  it('should name the trigger and the existing start event when a trigger is duplicated', async () => {
    const [problem] = await findProblems(
      modelWithEventSubProcesses(eventSubProcess('h', signal('alarm')), eventSubProcess('i', signal('alarm'))),
    );
    expect(problem?.message).to.contain('Signal "alarm"').and.to.contain('"h-start"');
  });
});
