import { expect } from 'chai';
import {
  MESSAGE,
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

const SIGNAL_DEFINITION = '<bpmn:signalEventDefinition signalRef="s"/>';
const MESSAGE_DEFINITION = '<bpmn:messageEventDefinition messageRef="m"/>';
const ROOT_ELEMENTS = `${MESSAGE}<bpmn:signal id="s" name="alarm"/>`;

function timer(duration = 'PT1H'): string {
  return `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition>`;
}

function catchEvent(id: string, definition: string): string {
  return element('intermediateCatchEvent', id, '', definition);
}

/** Returns a model with the flow start → event-based gateway → `a` and `b` → end. */
function eventGatewayModel(a: string, b: string, attributes = '', extraContent = ''): string {
  return model(
    `<bpmn:startEvent id="start"/>${element('eventBasedGateway', 'g', '', '', attributes)}${a}${b}<bpmn:endEvent id="end"/>${extraContent}` +
      flow('start', 'g') +
      flow('g', 'a') +
      flow('g', 'b') +
      flow('a', 'end') +
      flow('b', 'end'),
    ROOT_ELEMENTS,
  );
}

/** Returns a process with a start event and an event-based gateway that starts runs. */
function startingGatewayModel(a: string, b: string, attributes = ''): string {
  const gateway = element('eventBasedGateway', 'g', '', '', `instantiate="true" ${attributes}`);
  const flows = flow('g', 'a') + flow('g', 'b') + flow('a', 'work') + flow('b', 'work');
  return model(sequentialFlow(serviceTask('work') + gateway + a + b, 'work') + flows, ROOT_ELEMENTS);
}

describe('gateways of a BPMN model', () => {
  for (const type of ['inclusiveGateway', 'complexGateway'] as const) {
    it(`should compile the conditions and the default flow of a gateway of type ${type}`, async () => {
      const xml = model(
        sequentialFlow(element(type, 'g', '', '', 'default="g-end"') + serviceTask('a'), 'g') +
          flow('g', 'a', '=x') +
          flow('a', 'end'),
      );
      const gateway = await requireNode(xml, 'g', type);
      expect(gateway.defaultFlow?.id).to.equal('g-end');
      expect(gateway.outgoing.map(({ condition }) => condition?.source)).to.deep.equal([undefined, 'x']);
    });
  }

  it('should compile the activation condition of a complex gateway', async () => {
    const condition =
      '<bpmn:activationCondition xsi:type="bpmn:tFormalExpression">=activationCount &gt;= 2</bpmn:activationCondition>';
    const gateway = await requireNode(
      model(sequentialFlow(element('complexGateway', 'g', '', condition), 'g')),
      'g',
      'complexGateway',
    );
    expect(
      gateway.activationCondition !== null && evaluate(gateway.activationCondition, { activationCount: 2 }),
    ).to.equal(true);
    expect(
      (await requireNode(model(sequentialFlow(element('complexGateway', 'g'), 'g')), 'g', 'complexGateway'))
        .activationCondition,
    ).to.equal(null);
  });

  it('should compile an event-based gateway', async () => {
    const gateway = await requireNode(
      eventGatewayModel(catchEvent('a', timer()), catchEvent('b', SIGNAL_DEFINITION)),
      'g',
      'eventGateway',
    );
    expect(gateway).to.deep.include({ instantiate: false, parallel: false });
    const modelWithReceiveTask = eventGatewayModel(
      catchEvent('a', timer()),
      element('receiveTask', 'b', '', '', 'messageRef="m"'),
    );
    expect((await requireNode(modelWithReceiveTask, 'g', 'eventGateway')).outgoing).to.have.length(2);
  });

  it('should compile an event-based gateway that starts runs', async () => {
    const exclusiveModel = startingGatewayModel(
      catchEvent('a', SIGNAL_DEFINITION),
      catchEvent('b', MESSAGE_DEFINITION),
    );
    expect(await requireNode(exclusiveModel, 'g', 'eventGateway')).to.deep.include({
      instantiate: true,
      parallel: false,
    });
    expect((await compileModel(exclusiveModel)).scopes.get('process')?.triggeredStartEvents).to.deep.equal(['g']);
    const parallelModel = startingGatewayModel(
      catchEvent('a', SIGNAL_DEFINITION),
      catchEvent('b', MESSAGE_DEFINITION),
      'eventGatewayType="Parallel"',
    );
    expect(await requireNode(parallelModel, 'g', 'eventGateway')).to.deep.include({
      instantiate: true,
      parallel: true,
    });
  });

  const gatewayModel = (type: string, attributes: string, content = ''): string =>
    model(sequentialFlow(element(type, 'g', '', content, attributes), 'g'));
  const boundaryEvent = (activityId: string): string =>
    `<bpmn:boundaryEvent id="x" attachedToRef="${activityId}">${timer()}</bpmn:boundaryEvent>${flow('x', 'end')}`;
  const receiveTask = element('receiveTask', 'b', '', '', 'messageRef="m"');
  const invalidCases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'a diverging gateway with one outgoing flow',
      gatewayModel('parallelGateway', 'gatewayDirection="Diverging"'),
      ['g gateway_direction'],
    ],
    [
      'a converging gateway with one incoming flow',
      gatewayModel('exclusiveGateway', 'gatewayDirection="Converging"'),
      ['g gateway_direction'],
    ],
    [
      'a mixed gateway with one flow in each direction',
      gatewayModel('inclusiveGateway', 'gatewayDirection="Mixed"'),
      ['g gateway_direction'],
    ],
    [
      'an activation condition in prose',
      gatewayModel('complexGateway', '', '<bpmn:activationCondition>two of them</bpmn:activationCondition>'),
      ['g informal_expression'],
    ],
    [
      'an event-based gateway with one outgoing flow',
      model(
        sequentialFlow(element('eventBasedGateway', 'g') + catchEvent('a', SIGNAL_DEFINITION), 'g', 'a'),
        ROOT_ELEMENTS,
      ),
      ['g missing_outgoing'],
    ],
    [
      'a task after an event-based gateway',
      eventGatewayModel(serviceTask('a'), catchEvent('b', SIGNAL_DEFINITION)),
      ['a invalid_event_target'],
    ],
    [
      'a target of an event-based gateway with another incoming flow',
      eventGatewayModel(catchEvent('a', timer()), catchEvent('b', SIGNAL_DEFINITION), '', flow('b', 'a')),
      ['a unexpected_incoming'],
    ],
    [
      'a receive task with a boundary event after an event-based gateway',
      eventGatewayModel(catchEvent('a', timer()), receiveTask + boundaryEvent('b')),
      ['b unexpected_boundary'],
    ],
    [
      'receive tasks mixed with message events after an event-based gateway',
      eventGatewayModel(catchEvent('a', MESSAGE_DEFINITION), receiveTask),
      ['g mixed_messages'],
    ],
    [
      'a receive task with a loop marker after an event-based gateway',
      eventGatewayModel(
        catchEvent('a', timer()),
        element('receiveTask', 'b', '', '<bpmn:standardLoopCharacteristics loopMaximum="2"/>', 'messageRef="m"'),
      ),
      ['b unexpected_loop'],
    ],
    [
      'a parallel event-based gateway that does not start runs',
      eventGatewayModel(catchEvent('a', timer()), catchEvent('b', SIGNAL_DEFINITION), 'eventGatewayType="Parallel"'),
      ['g invalid_gateway_type'],
    ],
    [
      'an instantiating gateway with an incoming flow',
      eventGatewayModel(catchEvent('a', MESSAGE_DEFINITION), catchEvent('b', SIGNAL_DEFINITION), 'instantiate="true"'),
      ['g unexpected_incoming'],
    ],
    [
      'a timer after an instantiating gateway',
      startingGatewayModel(catchEvent('a', timer()), catchEvent('b', SIGNAL_DEFINITION)),
      ['a invalid_event_target'],
    ],
  ];
  for (const [title, xml, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(xml)).to.include.members(expected);
    });
  }
});
