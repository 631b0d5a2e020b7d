import { expect } from 'chai';
import { compiled, element, flow, job, line, model, nested, refusalsOf } from './models.spec.support.js';

/** start → gateway → a, b → end, with the conditions of the gateway's flows. */
function choice(type: string, attributes: string, a?: string, b?: string): string {
  return model(
    `<bpmn:startEvent id="start"/>${element(type, 'g', '', '', attributes)}${job('a')}${job('b')}<bpmn:endEvent id="end"/>` +
      flow('start', 'g') +
      flow('g', 'a', a) +
      flow('g', 'b', b) +
      flow('a', 'end') +
      flow('b', 'end'),
  );
}

const inner = '<bpmn:startEvent id="innerStart"/><bpmn:endEvent id="innerEnd"/>' + flow('innerStart', 'innerEnd');

describe('rules of sequence flows', () => {
  it('should compile conditions and the default flow of an exclusive gateway', async () => {
    const graph = await compiled(choice('exclusiveGateway', 'default="g-b"', '=x &gt; 1'));
    const gateway = graph.nodes.get('g');
    expect(gateway?.defaultFlow?.id).to.equal('g-b');
    expect(gateway?.outgoing[0]?.condition?.reads).to.deep.equal([['x']]);
  });

  it('should compile conditions and the default flow of an activity', async () => {
    const task = (await compiled(choice('task', 'default="g-b"', '=x'))).nodes.get('g');
    expect(task?.defaultFlow?.id).to.equal('g-b');
    expect(task?.outgoing.map((each) => each.condition?.source)).to.deep.equal(['x', undefined]);
    const both = (
      await compiled(choice('subProcess', '', '=x', '=y').replace('</bpmn:subProcess>', `${inner}</bpmn:subProcess>`))
    ).nodes.get('g');
    expect(both?.defaultFlow).to.equal(null);
  });

  it('should accept FEEL without "=" if the file or the expression declares FEEL as its language', async () => {
    const feel = 'https://www.omg.org/spec/DMN/20191111/FEEL/';
    const plain = choice('exclusiveGateway', 'default="g-b"', 'x &gt; 1');
    const file = plain.replace('id="definitions"', `id="definitions" expressionLanguage="${feel}"`);
    const own = plain.replace('tFormalExpression"', `tFormalExpression" language="${feel}"`);
    for (const xml of [file, own]) {
      expect((await compiled(xml)).nodes.get('g')?.outgoing[0]?.condition?.reads).to.deep.equal([['x']]);
    }
    expect(await refusalsOf(plain)).to.deep.equal(['g-a expression_expected']);
    const prose = file.replace(' xsi:type="bpmn:tFormalExpression"', '');
    expect(await refusalsOf(prose)).to.deep.equal(['g-a informal_expression']);
    const broken = plain.replace('tFormalExpression"', 'tFormalExpression" language="no%uri"');
    expect(await refusalsOf(broken)).to.deep.equal(['g-a invalid_uri']);
    const other = plain.replace(
      'id="definitions"',
      'id="definitions" expressionLanguage="http://www.w3.org/1999/XPath"',
    );
    expect(await refusalsOf(other)).to.deep.equal(['g-a expression_expected']);
  });

  it('should accept loops, implicit ends and gateways with one outgoing flow', async () => {
    const xml = model(
      `<bpmn:startEvent id="start"/>${element('exclusiveGateway', 'again')}${job('a')}${element('exclusiveGateway', 'g', '', '', 'default="g-b"')}${job('b')}` +
        flow('start', 'again') +
        flow('again', 'a') +
        flow('a', 'g') +
        flow('g', 'again', '=more') +
        flow('g', 'b'),
    );
    expect((await compiled(xml)).nodes.size).to.equal(5);
  });

  const refused: readonly (readonly [string, string, readonly string[]])[] = [
    ['an unconditional flow of an exclusive gateway', choice('exclusiveGateway', '', '=x'), ['g-b missing_condition']],
    [
      'a default flow with a condition',
      choice('exclusiveGateway', 'default="g-b"', '=x', '=y'),
      ['g-b invalid_default'],
    ],
    [
      'a default flow of another element',
      choice('exclusiveGateway', 'default="a-end"', '=x', '=y'),
      ['g invalid_default'],
    ],
    ['a literal condition', choice('exclusiveGateway', 'default="g-b"', 'x'), ['g-a expression_expected']],
    ['an empty condition', choice('exclusiveGateway', 'default="g-b"', ' '), ['g-a missing_condition']],
    ['an invalid condition', choice('exclusiveGateway', 'default="g-b"', '=x &gt;'), ['g-a invalid_expression']],
    ['conditions after a parallel gateway', choice('parallelGateway', '', '=x'), ['g-a unexpected_condition']],
    ['an unconditional flow of an inclusive gateway', choice('inclusiveGateway', '', '=x'), ['g-b missing_condition']],
    ['an unconditional flow of a complex gateway', choice('complexGateway', '', '=x'), ['g-b missing_condition']],
    [
      'a default flow with a condition out of a task',
      choice('task', 'default="g-b"', '=x', '=y'),
      ['g-b invalid_default'],
    ],
    [
      'a condition on the only flow out of a task',
      model(line(job('a'), 'a').replace(flow('a', 'end'), flow('a', 'end', '=x'))),
      ['a-end lone_condition'],
    ],
    [
      'a condition after a start event',
      model(line(job('a'), 'a').replace(flow('start', 'a'), flow('start', 'a', '=x'))),
      ['start-a unexpected_condition'],
    ],
    [
      'a flow with isImmediate="false"',
      model(line(job('a'), 'a').replace('id="a-end"', 'id="a-end" isImmediate="false"')),
      ['a-end not_for_execution'],
    ],
    [
      'a flow that only its target lists',
      model(line(element('task', 'a', '', '<bpmn:incoming>start-a</bpmn:incoming>'), 'a')),
      ['start flow_mismatch'],
    ],
    [
      'a flow that only its source lists',
      model(line(element('task', 'a', '', '<bpmn:outgoing>a-end</bpmn:outgoing>'), 'a')),
      ['end flow_mismatch'],
    ],
    [
      'a node without an incoming flow',
      model(line(job('a') + job('b'), 'a') + flow('b', 'end')),
      ['b missing_incoming'],
    ],
    [
      'a start event with an incoming flow',
      model(line(job('a'), 'a') + flow('a', 'start')),
      ['start unexpected_incoming'],
    ],
    ['an end event with an outgoing flow', model(line(job('a'), 'a') + flow('end', 'a')), ['end unexpected_outgoing']],
    ['a start event without an outgoing flow', model('<bpmn:startEvent id="start"/>'), ['start missing_outgoing']],
    ['a process without a start event', model(''), ['process missing_start_event']],
    [
      'two start events',
      model(line(job('a') + '<bpmn:startEvent id="second"/>', 'a') + flow('second', 'a')),
      ['second several_start_events'],
    ],
    [
      'a flow without a target',
      model(`${line(job('a'), 'a')}<bpmn:sequenceFlow id="f" sourceRef="a"/>`),
      ['f dangling_flow'],
    ],
    [
      'a flow into a sub-process',
      model(line(nested('subProcess', 'a', job('in'), '', 'in'), 'a') + flow('start', 'in')),
      ['start-in flow_across_scopes'],
    ],
    [
      'an incoming list that names another flow',
      model(
        line(element('task', 'a', '', '<bpmn:incoming>a-end</bpmn:incoming><bpmn:outgoing>a-end</bpmn:outgoing>'), 'a'),
      ),
      ['a flow_mismatch'],
    ],
    ['a node without an id', model(`${line(job('a'), 'a')}<bpmn:task name="Nameless"/>`), ['- missing_id']],
  ];
  for (const [what, xml, expected] of refused) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(xml)).to.deep.equal(expected);
    });
  }

  it('should refuse conditions in another language', async () => {
    const xml = choice('exclusiveGateway', 'default="g-b"', '=x').replace(
      'tFormalExpression"',
      'tFormalExpression" language="javascript"',
    );
    expect(await refusalsOf(xml)).to.deep.equal(['g-a foreign_script']);
  });
});
