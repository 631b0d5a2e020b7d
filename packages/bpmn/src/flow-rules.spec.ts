import { expect } from 'chai';
import {
  compileModel,
  element,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  nestedScope,
  findProblemCodes,
} from './models.spec.support.js';

/** Returns a model with the flow start → `g` → `a` and `b` → end; the flows out of `g` have the given conditions. */
function branchingModel(type: string, attributes: string, conditionToA?: string, conditionToB?: string): string {
  return model(
    `<bpmn:startEvent id="start"/>${element(type, 'g', '', '', attributes)}${serviceTask('a')}${serviceTask('b')}<bpmn:endEvent id="end"/>` +
      flow('start', 'g') +
      flow('g', 'a', conditionToA) +
      flow('g', 'b', conditionToB) +
      flow('a', 'end') +
      flow('b', 'end'),
  );
}

const nestedContent =
  '<bpmn:startEvent id="innerStart"/><bpmn:endEvent id="innerEnd"/>' + flow('innerStart', 'innerEnd');

describe('sequence flows of a BPMN model', () => {
  it('should compile conditions and the default flow of an exclusive gateway', async () => {
    const graph = await compileModel(branchingModel('exclusiveGateway', 'default="g-b"', '=x &gt; 1'));
    const gateway = graph.nodes.get('g');
    expect(gateway?.defaultFlow?.id).to.equal('g-b');
    expect(gateway?.outgoing[0]?.condition?.reads).to.deep.equal([['x']]);
  });

  it('should compile conditions and the default flow of an activity', async () => {
    const task = (await compileModel(branchingModel('task', 'default="g-b"', '=x'))).nodes.get('g');
    expect(task?.defaultFlow?.id).to.equal('g-b');
    expect(task?.outgoing.map((each) => each.condition?.source)).to.deep.equal(['x', undefined]);
    const subProcess = (
      await compileModel(
        branchingModel('subProcess', '', '=x', '=y').replace(
          '</bpmn:subProcess>',
          `${nestedContent}</bpmn:subProcess>`,
        ),
      )
    ).nodes.get('g');
    expect(subProcess?.defaultFlow).to.equal(null);
  });

  it('should accept FEEL without "=" if the file or the expression declares FEEL as its language', async () => {
    const modelWithoutLanguage = branchingModel('exclusiveGateway', 'default="g-b"', 'x &gt; 1');
    const declareInFile = (language: string): string =>
      modelWithoutLanguage.replace('id="definitions"', `id="definitions" expressionLanguage="${language}"`);
    const declareInExpression = (language: string): string =>
      modelWithoutLanguage.replace('tFormalExpression"', `tFormalExpression" language="${language}"`);
    for (const language of [
      'feel',
      'http://www.omg.org/spec/FEEL/20140401',
      'http://www.omg.org/spec/DMN/20180521/FEEL/',
      'https://www.omg.org/spec/DMN/20191111/FEEL/',
    ])
      for (const xml of [declareInFile(language), declareInExpression(language)])
        expect((await compileModel(xml)).nodes.get('g')?.outgoing[0]?.condition?.reads, language).to.deep.equal([
          ['x'],
        ]);
    expect(await findProblemCodes(modelWithoutLanguage)).to.deep.equal(['g-a expression_expected']);
    const modelWithInformalExpression = declareInFile('feel').replace(' xsi:type="bpmn:tFormalExpression"', '');
    expect(await findProblemCodes(modelWithInformalExpression)).to.deep.equal(['g-a informal_expression']);
    expect(await findProblemCodes(declareInExpression('no%uri'))).to.deep.equal(['g-a invalid_uri']);
    expect(await findProblemCodes(declareInFile('http://www.w3.org/1999/XPath'))).to.deep.equal([
      'g-a expression_expected',
    ]);
  });

  it('should accept loops, implicit ends and gateways with one outgoing flow', async () => {
    const xml = model(
      `<bpmn:startEvent id="start"/>${element('exclusiveGateway', 'merge')}${serviceTask('a')}${element('exclusiveGateway', 'g', '', '', 'default="g-b"')}${serviceTask('b')}` +
        flow('start', 'merge') +
        flow('merge', 'a') +
        flow('a', 'g') +
        flow('g', 'merge', '=more') +
        flow('g', 'b'),
    );
    expect((await compileModel(xml)).nodes.size).to.equal(5);
  });

  const invalidCases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'an unconditional flow of an exclusive gateway',
      branchingModel('exclusiveGateway', '', '=x'),
      ['g-b missing_condition'],
    ],
    [
      'a default flow with a condition',
      branchingModel('exclusiveGateway', 'default="g-b"', '=x', '=y'),
      ['g-b invalid_default'],
    ],
    [
      'a default flow of another element',
      branchingModel('exclusiveGateway', 'default="a-end"', '=x', '=y'),
      ['g invalid_default'],
    ],
    ['a literal condition', branchingModel('exclusiveGateway', 'default="g-b"', 'x'), ['g-a expression_expected']],
    ['an empty condition', branchingModel('exclusiveGateway', 'default="g-b"', ' '), ['g-a missing_condition']],
    [
      'an invalid condition',
      branchingModel('exclusiveGateway', 'default="g-b"', '=x &gt;'),
      ['g-a invalid_expression'],
    ],
    ['conditions after a parallel gateway', branchingModel('parallelGateway', '', '=x'), ['g-a unexpected_condition']],
    [
      'an unconditional flow of an inclusive gateway',
      branchingModel('inclusiveGateway', '', '=x'),
      ['g-b missing_condition'],
    ],
    [
      'an unconditional flow of a complex gateway',
      branchingModel('complexGateway', '', '=x'),
      ['g-b missing_condition'],
    ],
    [
      'a conditional default flow out of a task',
      branchingModel('task', 'default="g-b"', '=x', '=y'),
      ['g-b invalid_default'],
    ],
    [
      'a condition on the only flow out of a task',
      model(sequentialFlow(serviceTask('a'), 'a').replace(flow('a', 'end'), flow('a', 'end', '=x'))),
      ['a-end lone_condition'],
    ],
    [
      'a condition after a start event',
      model(sequentialFlow(serviceTask('a'), 'a').replace(flow('start', 'a'), flow('start', 'a', '=x'))),
      ['start-a unexpected_condition'],
    ],
    [
      'a flow with isImmediate="false"',
      model(sequentialFlow(serviceTask('a'), 'a').replace('id="a-end"', 'id="a-end" isImmediate="false"')),
      ['a-end not_for_execution'],
    ],
    [
      'a flow that only its target lists',
      model(sequentialFlow(element('task', 'a', '', '<bpmn:incoming>start-a</bpmn:incoming>'), 'a')),
      ['start flow_mismatch'],
    ],
    [
      'a flow that only its source lists',
      model(sequentialFlow(element('task', 'a', '', '<bpmn:outgoing>a-end</bpmn:outgoing>'), 'a')),
      ['end flow_mismatch'],
    ],
    [
      'a node without an incoming flow',
      model(sequentialFlow(serviceTask('a') + serviceTask('b'), 'a') + flow('b', 'end')),
      ['b missing_incoming'],
    ],
    [
      'a start event with an incoming flow',
      model(sequentialFlow(serviceTask('a'), 'a') + flow('a', 'start')),
      ['start unexpected_incoming'],
    ],
    [
      'an end event with an outgoing flow',
      model(sequentialFlow(serviceTask('a'), 'a') + flow('end', 'a')),
      ['end unexpected_outgoing'],
    ],
    ['a start event without an outgoing flow', model('<bpmn:startEvent id="start"/>'), ['start missing_outgoing']],
    ['a process without a start event', model(''), ['process missing_start_event']],
    [
      'two start events',
      model(sequentialFlow(serviceTask('a') + '<bpmn:startEvent id="second"/>', 'a') + flow('second', 'a')),
      ['second several_start_events'],
    ],
    [
      'a flow without a target',
      model(`${sequentialFlow(serviceTask('a'), 'a')}<bpmn:sequenceFlow id="f" sourceRef="a"/>`),
      ['f dangling_flow'],
    ],
    [
      'a flow into a sub-process',
      model(sequentialFlow(nestedScope('subProcess', 'a', serviceTask('in'), '', 'in'), 'a') + flow('start', 'in')),
      ['start-in flow_across_scopes'],
    ],
    [
      'an incoming list that names another flow',
      model(
        sequentialFlow(
          element('task', 'a', '', '<bpmn:incoming>a-end</bpmn:incoming><bpmn:outgoing>a-end</bpmn:outgoing>'),
          'a',
        ),
      ),
      ['a flow_mismatch'],
    ],
    [
      'a node without an id',
      model(`${sequentialFlow(serviceTask('a'), 'a')}<bpmn:task name="Nameless"/>`),
      ['- missing_id'],
    ],
  ];
  for (const [title, xml, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(xml)).to.deep.equal(expected);
    });
  }

  it('should refuse conditions in a language other than FEEL', async () => {
    const xml = branchingModel('exclusiveGateway', 'default="g-b"', '=x').replace(
      'tFormalExpression"',
      'tFormalExpression" language="javascript"',
    );
    expect(await findProblemCodes(xml)).to.deep.equal(['g-a foreign_script']);
  });
});
