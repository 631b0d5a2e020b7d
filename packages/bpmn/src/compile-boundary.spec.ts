import { expect } from 'chai';
import {
  boundaryEvent,
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

/** Returns a process whose activity `a` has the boundary events. */
function modelWithBoundary(events: string, activity = serviceTask('a')): string {
  return model(sequentialFlow(activity + events, 'a'), ROOT_ELEMENTS);
}

function startToEnd(id: string): string {
  return `<bpmn:startEvent id="${id}-in"/><bpmn:endEvent id="${id}-out"/>${flow(`${id}-in`, `${id}-out`)}`;
}

const SUB_PROCESS = subProcessElement('subProcess', 'a', startToEnd('a'));
const TRANSACTION = subProcessElement('transaction', 'a', startToEnd('a'));

describe('boundary events', () => {
  const kinds: readonly (readonly [string, string, string, boolean])[] = [
    ['message', message('paid'), serviceTask('a'), true],
    ['timer', timer('timeDuration', 'PT1H'), serviceTask('a'), true],
    ['signal', signal('alarm'), serviceTask('a'), true],
    ['condition', condition('=late'), serviceTask('a'), true],
    ['escalation', codedDefinition('escalation', 'late'), SUB_PROCESS, true],
    ['error', codedDefinition('error', 'broken'), serviceTask('a'), false],
    ['cancel', definition('cancel'), TRANSACTION, false],
  ];
  for (const [kind, definitions, activity, canBeNonInterrupting] of kinds) {
    it(`should compile boundary events of kind ${kind}`, async () => {
      const node = await requireNode(
        modelWithBoundary(boundaryEvent('b', definitions), activity),
        'b',
        'boundaryEvent',
      );
      expect(node).to.deep.include({ attachedTo: 'a', interrupting: true, parallelMultiple: false });
      expect(node.triggers.map((trigger) => trigger.kind)).to.deep.equal([kind]);
      const nonInterrupting = modelWithBoundary(boundaryEvent('b', definitions, 'cancelActivity="false"'), activity);
      if (canBeNonInterrupting)
        expect((await requireNode(nonInterrupting, 'b', 'boundaryEvent')).interrupting).to.equal(false);
      else expect(await findProblemCodes(nonInterrupting)).to.deep.equal(['b must_interrupt']);
    });
  }

  it('should be listed at their activity in document order', async () => {
    const events =
      boundaryEvent('b', signal('alarm')) +
      boundaryEvent('c', message('paid')) +
      boundaryEvent('d', codedDefinition('error'));
    expect((await compileModel(modelWithBoundary(events))).nodes.get('a')?.boundaryEvents).to.deep.equal([
      'b',
      'c',
      'd',
    ]);
  });

  it('should catch a specific code, or any code when the event names none', async () => {
    const events =
      boundaryEvent('b', codedDefinition('error', 'broken')) +
      boundaryEvent('c', codedDefinition('error')) +
      boundaryEvent('d', codedDefinition('escalation', 'anyEscalation'));
    const { nodes } = await compileModel(modelWithBoundary(events, SUB_PROCESS));
    const triggers = ['b', 'c', 'd'].map((id) => {
      const node = nodes.get(id);
      return node?.kind === 'boundaryEvent' ? node.triggers[0] : undefined;
    });
    expect(triggers).to.deep.equal([
      { kind: 'error', code: { literal: 'BROKEN' } },
      { kind: 'error', code: null },
      { kind: 'escalation', code: null },
    ]);
  });

  it('should allow a repeating timer only on a non-interrupting event', async () => {
    const cycle = timer('timeCycle', 'R3/PT10S');
    const nonInterrupting = await requireNode(
      modelWithBoundary(boundaryEvent('b', cycle, 'cancelActivity="false"')),
      'b',
      'boundaryEvent',
    );
    expect(nonInterrupting.triggers).to.deep.equal([{ kind: 'timer', timer: 'cycle', value: { literal: 'R3/PT10S' } }]);
    expect(await findProblemCodes(modelWithBoundary(boundaryEvent('b', cycle)))).to.deep.equal(['b must_not_repeat']);
  });

  it('should catch any of several events, or all of them when parallelMultiple is set', async () => {
    const eventDefinitions = message('paid') + signal('alarm');
    const parallelEvent = await requireNode(
      modelWithBoundary(boundaryEvent('b', eventDefinitions, 'parallelMultiple="true"')),
      'b',
      'boundaryEvent',
    );
    expect(parallelEvent).to.deep.include({ parallelMultiple: true });
    const anyEvent = await requireNode(
      modelWithBoundary(boundaryEvent('b', eventDefinitions + codedDefinition('error'))),
      'b',
      'boundaryEvent',
    );
    expect(anyEvent.triggers.map(({ kind }) => kind)).to.deep.equal(['message', 'signal', 'error']);
    const nonInterrupting = modelWithBoundary(
      boundaryEvent('b', eventDefinitions + codedDefinition('error'), 'cancelActivity="false"'),
    );
    expect(await findProblemCodes(nonInterrupting)).to.deep.equal(['b must_interrupt']);
  });

  it('should compile output mappings but refuse input mappings', async () => {
    const modelWithMapping = (mapping: string): string =>
      modelWithBoundary(
        element(
          'boundaryEvent',
          'b',
          `<zeebe:ioMapping>${mapping}</zeebe:ioMapping>`,
          message('paid'),
          'attachedToRef="a"',
        ) + flow('b', 'end'),
      );
    const { outputs } = await requireNode(
      modelWithMapping('<zeebe:output source="=x" target="y"/>'),
      'b',
      'boundaryEvent',
    );
    expect(outputs.map(({ source }) => evaluate(source, { x: 1 }))).to.deep.equal([1]);
    expect(await findProblemCodes(modelWithMapping('<zeebe:input source="=x" target="y"/>'))).to.deep.equal([
      'b unsupported_mapping',
    ]);
  });

  it('should compile a compensation event to a handler of its activity instead of a node', async () => {
    const handler = element(
      'serviceTask',
      'undo',
      '<zeebe:taskDefinition type="undo"/>',
      '',
      'isForCompensation="true"',
    );
    const event = element('boundaryEvent', 'b', '', definition('compensate'), 'attachedToRef="a"');
    const association = '<bpmn:association id="as" associationDirection="One" sourceRef="b" targetRef="undo"/>';
    const { nodes } = await compileModel(modelWithBoundary(event + handler + association));
    expect(nodes.has('b')).to.equal(false);
    expect(nodes.get('a')).to.deep.include({ boundaryEvents: [], compensationHandler: 'undo' });
    const nonInterrupting = event.replace('attachedToRef', 'cancelActivity="false" attachedToRef');
    expect(await findProblemCodes(modelWithBoundary(nonInterrupting + handler + association))).to.deep.equal([
      'b must_interrupt',
    ]);
  });

  for (const [title, definitions, activity] of [
    ['message', message('paid'), serviceTask('a')],
    ['signal', signal('alarm'), serviceTask('a')],
    ['error', codedDefinition('error', 'broken'), serviceTask('a')],
    ['any error', codedDefinition('error', 'anyError'), serviceTask('a')],
    ['escalation', codedDefinition('escalation', 'late'), SUB_PROCESS],
    ['any escalation', codedDefinition('escalation'), SUB_PROCESS],
    ['cancellation', definition('cancel'), TRANSACTION],
  ] as const) {
    it(`should refuse two boundary events for the same trigger: ${title}`, async () => {
      const xml = modelWithBoundary(boundaryEvent('b', definitions) + boundaryEvent('c', definitions), activity);
      expect(await findProblemCodes(xml)).to.deep.equal(['c duplicate_event']);
    });
  }

  const invalidCases: readonly (readonly [string, string, string])[] = [
    ['a boundary event without an event definition', boundaryEvent('b', ''), 'missing_event_definition'],
    [
      'a boundary event without an outgoing flow',
      element('boundaryEvent', 'b', '', message('paid'), 'attachedToRef="a"'),
      'missing_outgoing',
    ],
    [
      'a boundary event with an incoming flow',
      boundaryEvent('b', message('paid')) + flow('start', 'b'),
      'unexpected_incoming',
    ],
    ['a boundary event attached to an event', boundaryEvent('b', message('paid'), '', 'start'), 'not_attached'],
    [
      'a boundary event that is not attached',
      element('boundaryEvent', 'b', '', message('paid')) + flow('b', 'end'),
      'not_attached',
    ],
    [
      'an error code that is a FEEL expression',
      boundaryEvent('b', codedDefinition('error', 'brokenBy')),
      'literal_expected',
    ],
    [
      'a cancel event at an activity that is not a transaction',
      boundaryEvent('b', definition('cancel')),
      'no_transaction',
    ],
    ['an escalation event at a task', boundaryEvent('b', codedDefinition('escalation', 'late')), 'impossible_event'],
    ['a terminate event', boundaryEvent('b', definition('terminate')), 'impossible_event'],
    ['a link event', boundaryEvent('b', definition('link', 'name="l"')), 'impossible_event'],
    [
      'compensation with a second event definition',
      boundaryEvent('b', definition('compensate') + message('paid')),
      'impossible_event',
    ],
  ];
  for (const [title, events, code] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(modelWithBoundary(events))).to.include(`b ${code}`);
    });
  }

  it('should refuse a boundary event attached to an activity in another scope', async () => {
    const xml = model(
      sequentialFlow(SUB_PROCESS + boundaryEvent('b', message('paid'), '', 'deep'), 'a').replace(
        '<bpmn:endEvent id="a-out"/>',
        `${serviceTask('deep')}<bpmn:endEvent id="a-out"/>${flow('a-in', 'deep')}${flow('deep', 'a-out')}`,
      ),
      ROOT_ELEMENTS,
    );
    expect(await findProblemCodes(xml)).to.include('b not_attached');
  });
});
