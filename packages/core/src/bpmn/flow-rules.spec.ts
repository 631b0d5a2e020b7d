import { expect } from 'chai';
import { compiled, element, flow, job, line, model, refusalsOf } from './models.spec.support.js';

/** start → gateway → a, b → end, with what the gateway's flows say. */
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

describe('flow rules', () => {
  it('should compile conditions and the default flow of an exclusive gateway', async () => {
    const graph = await compiled(choice('exclusiveGateway', 'default="g-b"', '=x &gt; 1'));
    const gateway = graph.nodes.get('g');
    expect(gateway?.defaultFlow?.id).to.equal('g-b');
    expect(gateway?.outgoing[0]?.condition?.reads).to.deep.equal([['x']]);
  });

  it('should take loops, implicit ends and gateways with one way out', async () => {
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
    ['a flow without condition beside others', choice('exclusiveGateway', '', '=x'), ['g-b missing_condition']],
    [
      'a default flow with a condition',
      choice('exclusiveGateway', 'default="g-b"', '=x', '=y'),
      ['g-b invalid_default'],
    ],
    [
      'a default flow of somebody else',
      choice('exclusiveGateway', 'default="a-end"', '=x', '=y'),
      ['g invalid_default'],
    ],
    ['a literal condition', choice('exclusiveGateway', 'default="g-b"', 'x'), ['g-a expression_expected']],
    ['an empty condition', choice('exclusiveGateway', 'default="g-b"', ' '), ['g-a missing_value']],
    ['a broken condition', choice('exclusiveGateway', 'default="g-b"', '=x &gt;'), ['g-a invalid_expression']],
    ['conditions behind a parallel gateway', choice('parallelGateway', '', '=x'), ['g-a unexpected_condition']],
    ['conditions behind a task', choice('task', '', '=x'), ['g-a conditional_flow']],
    ['a default flow of a task', choice('task', 'default="g-b"'), ['g-b conditional_flow']],
    ['a node that is never reached', model(line(job('a') + job('b'), 'a') + flow('b', 'end')), ['b missing_incoming']],
    ['a start event that is reached', model(line(job('a'), 'a') + flow('a', 'start')), ['start unexpected_incoming']],
    ['an end event that is left', model(line(job('a'), 'a') + flow('end', 'a')), ['end unexpected_outgoing']],
    ['a start event that is not left', model('<bpmn:startEvent id="start"/>'), ['start missing_outgoing']],
    ['no start event', model(''), ['process missing_start_event']],
    [
      'two start events',
      model(line(job('a') + '<bpmn:startEvent id="second"/>', 'a') + flow('second', 'a')),
      ['second several_start_events'],
    ],
    [
      'a flow without target',
      model(`${line(job('a'), 'a')}<bpmn:sequenceFlow id="f" sourceRef="a"/>`),
      ['f dangling_flow'],
    ],
    [
      'a flow into a sub-process',
      model(line(element('subProcess', 'a', '', job('in')), 'a') + flow('start', 'in')),
      ['start-in flow_across_scopes', 'a unsupported_element'],
    ],
    [
      'an incoming list that says something else',
      model(line(element('task', 'a', '', '<bpmn:incoming>a-end</bpmn:incoming>'), 'a')),
      ['a flow_mismatch'],
    ],
    ['a node without id', model(`${line(job('a'), 'a')}<bpmn:task name="Nameless"/>`), ['- missing_id']],
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
