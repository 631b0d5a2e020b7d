import { expect } from 'chai';
import {
  MESSAGE,
  element,
  evaluate,
  serviceTask,
  sequentialFlow,
  model,
  requireNode,
  findProblems,
  properties,
  findProblemCodes,
} from './models.spec.support.js';

function calledDecision(attributes: string): string {
  return `<zeebe:calledDecision ${attributes}/>`;
}

function listeners(kind: 'execution' | 'task'): string {
  return `<zeebe:${kind}Listeners><zeebe:${kind}Listener eventType="start" type="audit"/></zeebe:${kind}Listeners>`;
}

describe('tasks of a BPMN model', () => {
  it('should compile a job with headers, retries and mappings', async () => {
    // given
    const extensions = `<zeebe:taskDefinition type="agent" retries="=tries"/>
      <zeebe:taskHeaders><zeebe:header key="agent" value="writer"/><zeebe:header key="prompt" value=""/></zeebe:taskHeaders>
      <zeebe:ioMapping><zeebe:input source="=order.total" target="sum.net"/><zeebe:input source="plain" target="text"/>
      <zeebe:output source="=result" target="done"/></zeebe:ioMapping>${properties({ area: 'docs', limit: '=max' })}`;

    // when
    const task = await requireNode(model(sequentialFlow(element('serviceTask', 'a', extensions), 'a')), 'a', 'jobTask');

    // then
    expect(task.jobType).to.deep.equal({ literal: 'agent' });
    expect(evaluate(task.retries, { tries: 5 })).to.equal(5);
    expect(task.headers).to.deep.equal({ agent: 'writer' });
    expect(task.inputs.map((mapping) => mapping.target)).to.deep.equal([['sum', 'net'], ['text']]);
    expect(evaluate(task.inputs[0]!.source, { order: { total: 7 } })).to.equal(7);
    expect(task.inputs[1]!.source).to.deep.equal({ literal: 'plain' });
    expect(task.outputs).to.have.length(1);
    expect(task.properties).to.deep.equal({ area: 'docs', limit: '=max' });
    expect(evaluate(task.dynamicProperties['limit']!, { max: 3 })).to.equal(3);
  });

  for (const type of ['serviceTask', 'sendTask', 'businessRuleTask', 'scriptTask']) {
    it(`should compile a ${type} with a task definition to a job with three retries by default`, async () => {
      const xml = model(sequentialFlow(element(type, 'a', '<zeebe:taskDefinition type="work"/>'), 'a'));
      expect(await requireNode(xml, 'a', 'jobTask')).to.deep.include({
        type,
        jobType: { literal: 'work' },
        retries: { literal: '3' },
      });
    });
  }

  it('should compile a business rule task that calls a DMN decision', async () => {
    const xml = model(
      sequentialFlow(
        element('businessRuleTask', 'a', calledDecision('decisionId="=which" resultVariable="rate"')),
        'a',
      ),
    );
    const task = await requireNode(xml, 'a', 'decisionTask');
    expect(evaluate(task.decisionId, { which: 'rates' })).to.equal('rates');
    expect(task.resultVariable).to.equal('rate');
  });

  it('should compile a send task without a job to a message throw', async () => {
    const task = await requireNode(
      model(sequentialFlow(element('sendTask', 'a', '', '', 'messageRef="m"'), 'a'), MESSAGE),
      'a',
      'throw',
    );
    const [messageThrow] = task.throws;
    if (messageThrow?.kind !== 'message' || messageThrow.correlationKey === null)
      throw new Error('Expected a message throw with a correlation key.');
    expect(messageThrow.messageName).to.deep.equal({ literal: 'paid' });
    expect(evaluate(messageThrow.correlationKey, { order: { id: 'o-1' } })).to.equal('o-1');
  });

  it('should compile a script task with a FEEL script', async () => {
    const script = '<zeebe:script expression="=1 + x" resultVariable="sum"/>';
    const task = await requireNode(model(sequentialFlow(element('scriptTask', 'a', script), 'a')), 'a', 'scriptTask');
    expect(task.resultVariable).to.equal('sum');
    expect(evaluate(task.expression, { x: 2 })).to.equal(3);
  });

  it('should compile manual and undefined tasks to nodes that tokens pass immediately', async () => {
    const xml = model(sequentialFlow(element('manualTask', 'a') + element('task', 'b'), 'a', 'b'));
    expect((await requireNode(xml, 'a', 'passTask')).type).to.equal('manualTask');
    expect((await requireNode(xml, 'b', 'passTask')).type).to.equal('task');
  });

  const invalidCases: readonly (readonly [string, string, string])[] = [
    ['an empty job type', element('serviceTask', 'a', '<zeebe:taskDefinition type=""/>'), 'missing_value'],
    [
      'retries that are not a number',
      element('serviceTask', 'a', '<zeebe:taskDefinition type="x" retries="many"/>'),
      'invalid_retries',
    ],
    [
      'negative retries',
      element('serviceTask', 'a', '<zeebe:taskDefinition type="x" retries="-1"/>'),
      'invalid_retries',
    ],
    [
      'two task definitions',
      element('serviceTask', 'a', '<zeebe:taskDefinition type="x"/><zeebe:taskDefinition type="y"/>'),
      'duplicate_extension',
    ],
    [
      'a duplicate header',
      serviceTask(
        'a',
        'x',
        '<zeebe:taskHeaders><zeebe:header key="k" value="1"/><zeebe:header key="k" value="2"/></zeebe:taskHeaders>',
      ),
      'duplicate_name',
    ],
    [
      'a header named `__proto__`',
      serviceTask('a', 'x', '<zeebe:taskHeaders><zeebe:header key="__proto__" value="1"/></zeebe:taskHeaders>'),
      'reserved_name',
    ],
    [
      'a script without a language',
      element('scriptTask', 'a', '', '<bpmn:script>x</bpmn:script>'),
      'missing_script_format',
    ],
    [
      'a literal output mapping',
      serviceTask('a', 'x', '<zeebe:ioMapping><zeebe:output source="1" target="b"/></zeebe:ioMapping>'),
      'expression_expected',
    ],
    [
      'a mapping without a source',
      serviceTask('a', 'x', '<zeebe:ioMapping><zeebe:input source="" target="b"/></zeebe:ioMapping>'),
      'missing_value',
    ],
    [
      'a mapping to an invalid name',
      serviceTask('a', 'x', '<zeebe:ioMapping><zeebe:input source="=1" target="a b"/></zeebe:ioMapping>'),
      'invalid_target',
    ],
    [
      'a mapping to `constructor`',
      serviceTask('a', 'x', '<zeebe:ioMapping><zeebe:input source="=1" target="a.constructor"/></zeebe:ioMapping>'),
      'invalid_target',
    ],
    [
      'a literal script',
      element('scriptTask', 'a', '<zeebe:script expression="1" resultVariable="x"/>'),
      'expression_expected',
    ],
    [
      'a script without a result variable',
      element('scriptTask', 'a', '<zeebe:script expression="=1"/>'),
      'invalid_name',
    ],
    [
      'a script in JavaScript',
      element('scriptTask', 'a', '', '<bpmn:script>1+1</bpmn:script>', 'scriptFormat="javascript"'),
      'foreign_script',
    ],
    ['a start quantity of two', element('task', 'a', '', '', 'startQuantity="2"'), 'unsupported_property'],
    ['a completion quantity of two', element('task', 'a', '', '', 'completionQuantity="2"'), 'unsupported_property'],
    ['a completion quantity of zero', element('task', 'a', '', '', 'completionQuantity="0"'), 'invalid_quantity'],
    [
      'a data input',
      element('task', 'a', '', '<bpmn:ioSpecification><bpmn:dataInput id="i"/></bpmn:ioSpecification>'),
      'unsupported_property',
    ],
    [
      'documentation in an invalid format',
      element('task', 'a', '', '<bpmn:documentation textFormat="INVALID">x</bpmn:documentation>'),
      'invalid_text_format',
    ],
    ['execution listeners', serviceTask('a', 'x', listeners('execution')), 'unsupported_extension'],
    ['task listeners', element('userTask', 'a', listeners('task')), 'unsupported_extension'],
    [
      'a DMN decision without an id',
      element('businessRuleTask', 'a', calledDecision('resultVariable="r"')),
      'missing_value',
    ],
    [
      'a DMN decision without a result variable',
      element('businessRuleTask', 'a', calledDecision('decisionId="d"')),
      'invalid_name',
    ],
    [
      'a DMN decision bound to the same deployment',
      element('businessRuleTask', 'a', calledDecision('decisionId="d" resultVariable="r" bindingType="deployment"')),
      'unsupported_binding',
    ],
    [
      'a DMN decision with a version tag',
      element('businessRuleTask', 'a', calledDecision('decisionId="d" resultVariable="r" versionTag="v1"')),
      'unsupported_property',
    ],
    [
      'a DMN decision together with a job type',
      element(
        'businessRuleTask',
        'a',
        `${calledDecision('decisionId="d" resultVariable="r"')}<zeebe:taskDefinition type="x"/>`,
      ),
      'unsupported_extension',
    ],
    [
      'task headers on a business rule task that calls a DMN decision',
      element('businessRuleTask', 'a', `${calledDecision('decisionId="d" resultVariable="r"')}<zeebe:taskHeaders/>`),
      'unsupported_extension',
    ],
    [
      'a business rule task without a DMN decision or a job type',
      element('businessRuleTask', 'a'),
      'missing_task_definition',
    ],
    ['a send task without a message or a job type', element('sendTask', 'a'), 'missing_message'],
    [
      'task headers on a send task without a job type',
      element('sendTask', 'a', '<zeebe:taskHeaders/>', '', 'messageRef="m"'),
      'unsupported_extension',
    ],
    [
      'resource roles',
      element('userTask', 'a', '', '<bpmn:potentialOwner id="po" name="Ada"/>'),
      'unsupported_property',
    ],
  ];
  for (const [title, task, code] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(model(sequentialFlow(task, 'a'), MESSAGE))).to.include(`a ${code}`);
    });
  }

  it('should report the element and the position of an invalid expression', async () => {
    const script = '<zeebe:script expression="=1 +\n  * 2" resultVariable="x"/>';
    const problems = await findProblems(model(sequentialFlow(element('scriptTask', 'a', script), 'a')));
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include({ elementId: 'a', code: 'invalid_expression', line: 4 });
    expect(problems[0]!.message).to.match(/expression of zeebe:script: .*line 1, column \d+/);
  });
});
