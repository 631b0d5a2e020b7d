import { expect } from 'chai';
import {
  MESSAGE,
  compiled,
  element,
  evaluate,
  flow,
  job,
  line,
  model,
  nodeOf,
  refusalsOf,
} from './models.spec.support.js';

const ON_SIGNAL = '<bpmn:signalEventDefinition signalRef="s"/>';
const ON_MESSAGE = '<bpmn:messageEventDefinition messageRef="m"/>';
const ROOT = `${MESSAGE}<bpmn:signal id="s" name="alarm"/>`;

function timer(duration = 'PT1H'): string {
  return `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition>`;
}

function catching(id: string, definition: string): string {
  return element('intermediateCatchEvent', id, '', definition);
}

/** start → event-based gateway → a, b → end. */
function deferred(a: string, b: string, attributes = '', more = ''): string {
  return model(
    `<bpmn:startEvent id="start"/>${element('eventBasedGateway', 'g', '', '', attributes)}${a}${b}<bpmn:endEvent id="end"/>${more}` +
      flow('start', 'g') +
      flow('g', 'a') +
      flow('g', 'b') +
      flow('a', 'end') +
      flow('b', 'end'),
    ROOT,
  );
}

/** A process with a start event and a gateway that starts runs. */
function starting(a: string, b: string, attributes = ''): string {
  const gateway = element('eventBasedGateway', 'g', '', '', `instantiate="true" ${attributes}`);
  const flows = flow('g', 'a') + flow('g', 'b') + flow('a', 'work') + flow('b', 'work');
  return model(line(job('work') + gateway + a + b, 'work') + flows, ROOT);
}

describe('gateways of a BPMN model', () => {
  for (const type of ['inclusiveGateway', 'complexGateway'] as const) {
    it(`should compile the conditions and the default flow of type ${type}`, async () => {
      const xml = model(
        line(element(type, 'g', '', '', 'default="g-end"') + job('a'), 'g') + flow('g', 'a', '=x') + flow('a', 'end'),
      );
      const gateway = await nodeOf(xml, 'g', type);
      expect(gateway.defaultFlow?.id).to.equal('g-end');
      expect(gateway.outgoing.map(({ condition }) => condition?.source)).to.deep.equal([undefined, 'x']);
    });
  }

  it('should compile the activation condition of a complex gateway', async () => {
    const condition =
      '<bpmn:activationCondition xsi:type="bpmn:tFormalExpression">=activationCount &gt;= 2</bpmn:activationCondition>';
    const gateway = await nodeOf(
      model(line(element('complexGateway', 'g', '', condition), 'g')),
      'g',
      'complexGateway',
    );
    expect(
      gateway.activationCondition !== null && evaluate(gateway.activationCondition, { activationCount: 2 }),
    ).to.equal(true);
    expect(
      (await nodeOf(model(line(element('complexGateway', 'g'), 'g')), 'g', 'complexGateway')).activationCondition,
    ).to.equal(null);
  });

  it('should compile an event-based gateway', async () => {
    const gateway = await nodeOf(deferred(catching('a', timer()), catching('b', ON_SIGNAL)), 'g', 'eventGateway');
    expect(gateway).to.deep.include({ instantiate: false, parallel: false });
    const receiving = deferred(catching('a', timer()), element('receiveTask', 'b', '', '', 'messageRef="m"'));
    expect((await nodeOf(receiving, 'g', 'eventGateway')).outgoing).to.have.length(2);
  });

  it('should compile an event-based gateway that starts runs', async () => {
    const first = starting(catching('a', ON_SIGNAL), catching('b', ON_MESSAGE));
    expect(await nodeOf(first, 'g', 'eventGateway')).to.deep.include({ instantiate: true, parallel: false });
    expect((await compiled(first)).scopes.get('process')?.triggeredStartEvents).to.deep.equal(['g']);
    const all = starting(catching('a', ON_SIGNAL), catching('b', ON_MESSAGE), 'eventGatewayType="Parallel"');
    expect(await nodeOf(all, 'g', 'eventGateway')).to.deep.include({ instantiate: true, parallel: true });
  });

  const one = (type: string, attributes: string, content = ''): string =>
    model(line(element(type, 'g', '', content, attributes), 'g'));
  const border = (host: string): string =>
    `<bpmn:boundaryEvent id="x" attachedToRef="${host}">${timer()}</bpmn:boundaryEvent>${flow('x', 'end')}`;
  const receive = element('receiveTask', 'b', '', '', 'messageRef="m"');
  const refused: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'a diverging gateway with one outgoing flow',
      one('parallelGateway', 'gatewayDirection="Diverging"'),
      ['g gateway_direction'],
    ],
    [
      'a converging gateway with one incoming flow',
      one('exclusiveGateway', 'gatewayDirection="Converging"'),
      ['g gateway_direction'],
    ],
    [
      'a mixed gateway with one flow in each direction',
      one('inclusiveGateway', 'gatewayDirection="Mixed"'),
      ['g gateway_direction'],
    ],
    [
      'an activation condition in prose',
      one('complexGateway', '', '<bpmn:activationCondition>two of them</bpmn:activationCondition>'),
      ['g informal_expression'],
    ],
    [
      'an event-based gateway with one outgoing flow',
      model(line(element('eventBasedGateway', 'g') + catching('a', ON_SIGNAL), 'g', 'a'), ROOT),
      ['g missing_outgoing'],
    ],
    ['a task after an event-based gateway', deferred(job('a'), catching('b', ON_SIGNAL)), ['a invalid_event_target']],
    [
      'a target of an event-based gateway with another incoming flow',
      deferred(catching('a', timer()), catching('b', ON_SIGNAL), '', flow('b', 'a')),
      ['a unexpected_incoming'],
    ],
    [
      'a receive task with a boundary event after an event-based gateway',
      deferred(catching('a', timer()), receive + border('b')),
      ['b unexpected_boundary'],
    ],
    [
      'receive tasks mixed with message events after an event-based gateway',
      deferred(catching('a', ON_MESSAGE), receive),
      ['g mixed_messages'],
    ],
    [
      'a receive task with a loop marker after an event-based gateway',
      deferred(
        catching('a', timer()),
        element('receiveTask', 'b', '', '<bpmn:standardLoopCharacteristics loopMaximum="2"/>', 'messageRef="m"'),
      ),
      ['b unexpected_loop'],
    ],
    [
      'a parallel event-based gateway in the middle of a run',
      deferred(catching('a', timer()), catching('b', ON_SIGNAL), 'eventGatewayType="Parallel"'),
      ['g invalid_gateway_type'],
    ],
    [
      'an instantiating gateway in the middle of a run',
      deferred(catching('a', ON_MESSAGE), catching('b', ON_SIGNAL), 'instantiate="true"'),
      ['g unexpected_incoming'],
    ],
    [
      'a timer after an instantiating gateway',
      starting(catching('a', timer()), catching('b', ON_SIGNAL)),
      ['a invalid_event_target'],
    ],
  ];
  for (const [what, xml, expected] of refused) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(xml)).to.include.members(expected);
    });
  }
});
