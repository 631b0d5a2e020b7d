import { expect } from 'chai';
import {
  boundary,
  coded,
  condition,
  definition,
  message,
  ROOTS,
  signal,
  timer,
  within,
} from './events.spec.support.js';
import { compiled, element, evaluate, flow, job, line, model, nodeOf, refusalsOf } from './models.spec.support.js';

/** A process with one activity `a` that has boundary events. */
function bordered(events: string, activity = job('a')): string {
  return model(line(activity + events, 'a'), ROOTS);
}

function inner(id: string): string {
  return `<bpmn:startEvent id="${id}-in"/><bpmn:endEvent id="${id}-out"/>${flow(`${id}-in`, `${id}-out`)}`;
}

const SUB = within('subProcess', 'a', inner('a'));
const TRANSACTION = within('transaction', 'a', inner('a'));

describe('boundary events', () => {
  const kinds: readonly (readonly [string, string, string, boolean])[] = [
    ['message', message('paid'), job('a'), true],
    ['timer', timer('timeDuration', 'PT1H'), job('a'), true],
    ['signal', signal('alarm'), job('a'), true],
    ['condition', condition('=late'), job('a'), true],
    ['escalation', coded('escalation', 'late'), SUB, true],
    ['error', coded('error', 'broken'), job('a'), false],
    ['cancel', definition('cancel'), TRANSACTION, false],
  ];
  for (const [kind, definitions, activity, mayGoOn] of kinds) {
    it(`should compile boundary events of kind ${kind}`, async () => {
      const node = await nodeOf(bordered(boundary('b', definitions), activity), 'b', 'boundaryEvent');
      expect(node).to.deep.include({ attachedTo: 'a', interrupting: true, parallelMultiple: false });
      expect(node.triggers.map((trigger) => trigger.kind)).to.deep.equal([kind]);
      const open = bordered(boundary('b', definitions, 'cancelActivity="false"'), activity);
      if (mayGoOn) expect((await nodeOf(open, 'b', 'boundaryEvent')).interrupting).to.equal(false);
      else expect(await refusalsOf(open)).to.deep.equal(['b must_interrupt']);
    });
  }

  it('should be listed at their activity in document order', async () => {
    const events = boundary('b', signal('alarm')) + boundary('c', message('paid')) + boundary('d', coded('error'));
    expect((await compiled(bordered(events))).nodes.get('a')?.boundaryEvents).to.deep.equal(['b', 'c', 'd']);
  });

  it('should catch a specific code, or any code when the event names none', async () => {
    const events =
      boundary('b', coded('error', 'broken')) +
      boundary('c', coded('error')) +
      boundary('d', coded('escalation', 'anyEscalation'));
    const { nodes } = await compiled(bordered(events, SUB));
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
    const open = await nodeOf(bordered(boundary('b', cycle, 'cancelActivity="false"')), 'b', 'boundaryEvent');
    expect(open.triggers).to.deep.equal([{ kind: 'timer', timer: 'cycle', value: { literal: 'R3/PT10S' } }]);
    expect(await refusalsOf(bordered(boundary('b', cycle)))).to.deep.equal(['b must_not_repeat']);
  });

  it('should catch any of several events, or all of them when parallelMultiple is set', async () => {
    const several = message('paid') + signal('alarm');
    const all = await nodeOf(bordered(boundary('b', several, 'parallelMultiple="true"')), 'b', 'boundaryEvent');
    expect(all).to.deep.include({ parallelMultiple: true });
    const any = await nodeOf(bordered(boundary('b', several + coded('error'))), 'b', 'boundaryEvent');
    expect(any.triggers.map(({ kind }) => kind)).to.deep.equal(['message', 'signal', 'error']);
    const open = bordered(boundary('b', several + coded('error'), 'cancelActivity="false"'));
    expect(await refusalsOf(open)).to.deep.equal(['b must_interrupt']);
  });

  it('should compile output mappings but refuse input mappings', async () => {
    const mapped = (mapping: string): string =>
      bordered(
        element(
          'boundaryEvent',
          'b',
          `<zeebe:ioMapping>${mapping}</zeebe:ioMapping>`,
          message('paid'),
          'attachedToRef="a"',
        ) + flow('b', 'end'),
      );
    const { outputs } = await nodeOf(mapped('<zeebe:output source="=x" target="y"/>'), 'b', 'boundaryEvent');
    expect(outputs.map(({ source }) => evaluate(source, { x: 1 }))).to.deep.equal([1]);
    expect(await refusalsOf(mapped('<zeebe:input source="=x" target="y"/>'))).to.deep.equal(['b unsupported_mapping']);
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
    const { nodes } = await compiled(bordered(event + handler + association));
    expect(nodes.has('b')).to.equal(false);
    expect(nodes.get('a')).to.deep.include({ boundaryEvents: [], compensationHandler: 'undo' });
    const open = event.replace('attachedToRef', 'cancelActivity="false" attachedToRef');
    expect(await refusalsOf(bordered(open + handler + association))).to.deep.equal(['b must_interrupt']);
  });

  for (const [what, definitions, activity] of [
    ['message', message('paid'), job('a')],
    ['signal', signal('alarm'), job('a')],
    ['error', coded('error', 'broken'), job('a')],
    ['any error', coded('error', 'anyError'), job('a')],
    ['escalation', coded('escalation', 'late'), SUB],
    ['any escalation', coded('escalation'), SUB],
    ['cancellation', definition('cancel'), TRANSACTION],
  ] as const) {
    it(`should refuse two boundary events for the same trigger: ${what}`, async () => {
      const xml = bordered(boundary('b', definitions) + boundary('c', definitions), activity);
      expect(await refusalsOf(xml)).to.deep.equal(['c duplicate_event']);
    });
  }

  const broken: readonly (readonly [string, string, string])[] = [
    ['a boundary event without an event definition', boundary('b', ''), 'missing_event_definition'],
    [
      'a boundary event without an outgoing flow',
      element('boundaryEvent', 'b', '', message('paid'), 'attachedToRef="a"'),
      'missing_outgoing',
    ],
    [
      'a boundary event with an incoming flow',
      boundary('b', message('paid')) + flow('start', 'b'),
      'unexpected_incoming',
    ],
    ['a boundary event attached to an event', boundary('b', message('paid'), '', 'start'), 'not_attached'],
    [
      'a boundary event that is not attached',
      element('boundaryEvent', 'b', '', message('paid')) + flow('b', 'end'),
      'not_attached',
    ],
    ['an error code that is a FEEL expression', boundary('b', coded('error', 'brokenBy')), 'literal_expected'],
    ['a cancel event at an activity that is not a transaction', boundary('b', definition('cancel')), 'no_transaction'],
    ['an escalation event at a task', boundary('b', coded('escalation', 'late')), 'impossible_event'],
    ['a terminate event', boundary('b', definition('terminate')), 'impossible_event'],
    ['a link event', boundary('b', definition('link', 'name="l"')), 'impossible_event'],
    [
      'compensation with a second event definition',
      boundary('b', definition('compensate') + message('paid')),
      'impossible_event',
    ],
  ];
  for (const [what, events, code] of broken) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(bordered(events))).to.include(`b ${code}`);
    });
  }

  it('should refuse a boundary event attached to an activity in another scope', async () => {
    const xml = model(
      line(SUB + boundary('b', message('paid'), '', 'deep'), 'a').replace(
        '<bpmn:endEvent id="a-out"/>',
        `${job('deep')}<bpmn:endEvent id="a-out"/>${flow('a-in', 'deep')}${flow('deep', 'a-out')}`,
      ),
      ROOTS,
    );
    expect(await refusalsOf(xml)).to.include('b not_attached');
  });
});
