import { expect } from 'chai';
import { describeElements } from './describe-elements.js';
import { MODEL_LIMITS } from './limits.js';
import {
  MESSAGE,
  compileModel,
  element,
  evaluate,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  nestedScope,
  requireNode,
  findProblemCodes,
} from './models.spec.support.js';

const ON_MESSAGE = '<bpmn:messageEventDefinition messageRef="m"/>';

/** Returns an event sub-process with a job. `start` is the content of its start event. */
function eventSubProcess(id: string, start = ON_MESSAGE, attributes = ''): string {
  const sub = nestedScope(
    'subProcess',
    id,
    serviceTask(`${id}Job`),
    `triggeredByEvent="true" ${attributes}`,
    `${id}Job`,
  );
  return sub.replace(`<bpmn:startEvent id="${id}Start"/>`, element('startEvent', `${id}Start`, '', start));
}

function adHoc(content: string, attributes = ''): string {
  return model(sequentialFlow(element('adHocSubProcess', 'sub', '', content, attributes), 'sub'));
}

describe('sub-processes of a BPMN model', () => {
  for (const [type, variant] of [
    ['subProcess', 'embedded'],
    ['transaction', 'transaction'],
  ] as const) {
    it(`should compile a ${type} and its contents`, async () => {
      // when
      const graph = await compileModel(
        model(sequentialFlow(nestedScope(type, 'sub', serviceTask('in'), '', 'in') + serviceTask('a'), 'sub', 'a')),
      );

      // then
      expect([...graph.nodes.keys()]).to.deep.equal(['start', 'sub', 'subStart', 'in', 'subEnd', 'a', 'end']);
      expect(graph.nodes.get('sub')).to.deep.include({ kind: 'subProcess', type, variant, scopeId: 'process' });
      expect(graph.nodes.get('in')?.scopeId).to.equal('sub');
      expect(graph.scopes.get('sub')).to.deep.equal({
        id: 'sub',
        parentId: 'process',
        noneStartEvents: ['subStart'],
        triggeredStartEvents: [],
        eventSubProcesses: [],
      });
      expect(describeElements(graph).map(({ elementId, scopeId }) => `${scopeId}/${elementId}`)).to.include('sub/in');
    });
  }

  it('should compile nested sub-processes', async () => {
    const graph = await compileModel(
      model(
        sequentialFlow(
          nestedScope('subProcess', 'a', nestedScope('transaction', 'b', serviceTask('c'), '', 'c'), '', 'b'),
          'a',
        ),
      ),
    );
    expect([...graph.scopes.values()].map(({ id, parentId }) => [id, parentId])).to.deep.equal([
      ['process', null],
      ['a', 'process'],
      ['b', 'a'],
    ]);
  });

  it('should compile mappings of a sub-process', async () => {
    const mapping =
      '<bpmn:extensionElements><zeebe:ioMapping><zeebe:input source="=1" target="x"/></zeebe:ioMapping></bpmn:extensionElements>';
    const xml = model(
      sequentialFlow(
        nestedScope('subProcess', 'sub', serviceTask('in'), '', 'in').replace(
          '<bpmn:startEvent',
          `${mapping}<bpmn:startEvent`,
        ),
        'sub',
      ),
    );
    expect((await requireNode(xml, 'sub', 'subProcess')).inputs.map(({ target }) => target)).to.deep.equal([['x']]);
  });

  it('should compile event sub-processes', async () => {
    const graph = await compileModel(model(sequentialFlow(serviceTask('a') + eventSubProcess('ev'), 'a'), MESSAGE));
    expect(graph.nodes.get('ev')).to.deep.include({ kind: 'eventSubProcess', startEvent: 'evStart' });
    expect(graph.scopes.get('process')?.eventSubProcesses).to.deep.equal(['ev']);
    expect(graph.scopes.get('ev')).to.deep.include({ noneStartEvents: [], triggeredStartEvents: ['evStart'] });
  });

  it('should compile an ad-hoc sub-process', async () => {
    const content =
      serviceTask('a') +
      serviceTask('b') +
      serviceTask('c') +
      flow('b', 'c') +
      element('task', 'undo', '', '', 'isForCompensation="true"') +
      '<bpmn:boundaryEvent id="undoA" attachedToRef="a"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>' +
      '<bpmn:completionCondition xsi:type="bpmn:tFormalExpression">=done</bpmn:completionCondition>' +
      '<bpmn:association id="as" sourceRef="undoA" targetRef="undo"/>';
    const sub = await requireNode(
      adHoc(content, 'ordering="Sequential" cancelRemainingInstances="false"'),
      'sub',
      'adHocSubProcess',
    );
    expect(sub).to.deep.include({ sequential: true, cancelRemainingInstances: false, entries: ['a', 'b'] });
    expect(sub.completionCondition !== null && evaluate(sub.completionCondition, { done: true })).to.equal(true);
    expect(await requireNode(adHoc(serviceTask('a')), 'sub', 'adHocSubProcess')).to.deep.include({
      sequential: false,
      cancelRemainingInstances: true,
      completionCondition: null,
    });
  });

  it('should list plain start events and triggered starts separately', async () => {
    const start = element('startEvent', 'second', '', ON_MESSAGE);
    const receive = element('receiveTask', 'receive', '', '', 'messageRef="n" instantiate="true"');
    const otherMessage = '<bpmn:message id="n" name="other"/>';
    const xml = model(
      sequentialFlow(serviceTask('a') + start + receive, 'a') + flow('second', 'a') + flow('receive', 'a'),
      MESSAGE + otherMessage,
    );
    expect((await compileModel(xml)).scopes.get('process')).to.deep.include({
      noneStartEvents: ['start'],
      triggeredStartEvents: ['second', 'receive'],
    });
  });

  const messageStartEvent = element('startEvent', 'subStart', '', ON_MESSAGE);
  const sub = nestedScope('subProcess', 'sub', serviceTask('in'), '', 'in');
  const boundary = (host: string): string =>
    `<bpmn:boundaryEvent id="b" attachedToRef="${host}">${ON_MESSAGE}</bpmn:boundaryEvent>${flow('b', 'end')}`;
  const invalidCases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'a sub-process without a start event',
      model(sequentialFlow(element('subProcess', 'sub', '', serviceTask('in')), 'sub')),
      ['sub missing_start_event', 'in missing_incoming'],
    ],
    [
      'a sub-process with two start events',
      model(
        sequentialFlow(
          sub.replace('<bpmn:endEvent', `<bpmn:startEvent id="more"/>${flow('more', 'in')}<bpmn:endEvent`),
          'sub',
        ),
      ),
      ['more several_start_events'],
    ],
    [
      'a sub-process with a message start event',
      model(sequentialFlow(sub.replace('<bpmn:startEvent id="subStart"/>', messageStartEvent), 'sub'), MESSAGE),
      ['subStart unexpected_trigger'],
    ],
    [
      'a transaction that restores data',
      model(sequentialFlow(nestedScope('transaction', 'sub', serviceTask('in'), 'method="##Image"', 'in'), 'sub')),
      ['sub unsupported_property'],
    ],
    [
      'an event sub-process without a start event',
      model(sequentialFlow(serviceTask('a') + element('subProcess', 'ev', '', '', 'triggeredByEvent="true"'), 'a')),
      ['ev missing_start_event'],
    ],
    [
      'an event sub-process without a trigger',
      model(sequentialFlow(serviceTask('a') + eventSubProcess('ev', ''), 'a')),
      ['evStart missing_trigger'],
    ],
    [
      'an event sub-process with incoming and outgoing flows',
      model(sequentialFlow(serviceTask('a') + eventSubProcess('ev'), 'a', 'ev'), MESSAGE),
      ['ev unexpected_incoming', 'ev unexpected_outgoing'],
    ],
    [
      'a boundary event at an event sub-process',
      model(sequentialFlow(serviceTask('a') + eventSubProcess('ev') + boundary('ev'), 'a'), MESSAGE),
      ['b unexpected_boundary'],
    ],
    [
      'an event sub-process with a loop marker',
      model(
        sequentialFlow(
          serviceTask('a') +
            eventSubProcess('ev').replace(
              '<bpmn:startEvent',
              '<bpmn:standardLoopCharacteristics loopMaximum="2"/><bpmn:startEvent',
            ),
          'a',
        ),
        MESSAGE,
      ),
      ['ev unexpected_loop'],
    ],
    ['an empty ad-hoc sub-process', adHoc(''), ['sub missing_activity']],
    [
      'an ad-hoc sub-process with start and end events',
      adHoc(sequentialFlow(serviceTask('a'), 'a').replaceAll('"start', '"in').replaceAll('end"', 'out"')),
      ['in unexpected_event', 'out unexpected_event'],
    ],
    [
      'an ad-hoc sub-process with a completion condition in prose',
      adHoc(`${serviceTask('a')}<bpmn:completionCondition>when done</bpmn:completionCondition>`),
      ['sub informal_expression'],
    ],
    [
      'an ad-hoc sub-process with a collection of active elements',
      adHoc(
        `<bpmn:extensionElements><zeebe:adHoc activeElementsCollection="=x"/></bpmn:extensionElements>${serviceTask('a')}`,
      ),
      ['sub unsupported_extension'],
    ],
    [
      'an instantiating receive task inside a sub-process',
      model(
        sequentialFlow(
          nestedScope(
            'subProcess',
            'sub',
            element('receiveTask', 'in', '', '', 'messageRef="m" instantiate="true"'),
            '',
            'in',
          ),
          'sub',
        ),
        MESSAGE,
      ),
      ['in unexpected_instantiate'],
    ],
    [
      'an instantiating receive task with a boundary event',
      model(
        sequentialFlow(
          serviceTask('a') + element('receiveTask', 'r', '', '', 'messageRef="m" instantiate="true"') + boundary('r'),
          'a',
        ) + flow('r', 'a'),
        MESSAGE,
      ),
      ['b unexpected_boundary'],
    ],
    [
      'a flow out of a sub-process',
      model(sequentialFlow(serviceTask('a') + sub, 'a', 'sub') + flow('in', 'a')),
      ['in-a flow_across_scopes'],
    ],
  ];
  for (const [title, xml, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      const problemCodes = await findProblemCodes(xml);
      expect(
        problemCodes.filter((problemCode, index) => problemCodes.indexOf(problemCode) === index),
      ).to.include.members(expected);
    });
  }

  it('should refuse sub-processes that are nested too deeply', async () => {
    const nestedSubProcesses = (levels: number): string =>
      levels === 0
        ? serviceTask('in')
        : nestedScope(
            'subProcess',
            `s${levels}`,
            nestedSubProcesses(levels - 1),
            '',
            levels === 1 ? 'in' : `s${levels - 1}`,
          );
    const modelWithLevels = (levels: number): string => model(sequentialFlow(nestedSubProcesses(levels), `s${levels}`));
    expect((await compileModel(modelWithLevels(MODEL_LIMITS.scopes))).scopes.size).to.equal(MODEL_LIMITS.scopes + 1);
    expect(await findProblemCodes(modelWithLevels(MODEL_LIMITS.scopes + 1))).to.include('s1 too_deep');
  });
});
