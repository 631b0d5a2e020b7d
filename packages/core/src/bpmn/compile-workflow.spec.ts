import { expect } from 'chai';
import type { Expression, Value } from '../domain/workflow-graph.js';
import { describeElements } from './describe-elements.js';
import {
  compiled,
  definitions,
  element,
  flow,
  job,
  line,
  model,
  nodeOf,
  problemsOf,
  properties,
  refusalsOf,
} from './models.spec.support.js';
import { workflowDigest } from './workflow-digest.js';

const MESSAGE = `<bpmn:message id="m" name="paid"><bpmn:extensionElements>
  <zeebe:subscription correlationKey="=order.id"/></bpmn:extensionElements></bpmn:message>`;

function evaluate(value: Value | Expression, variables: Record<string, unknown>): unknown {
  const expression = 'literal' in value ? undefined : 'expression' in value ? value.expression : value;
  return expression?.evaluate({ variables: { get: (name) => variables[name] }, now: 0 });
}

function catchEvent(id: string, definition: string): string {
  return element('intermediateCatchEvent', id, '', definition);
}

function timer(property: string, text: string): string {
  return `<bpmn:timerEventDefinition><bpmn:${property}>${text}</bpmn:${property}></bpmn:timerEventDefinition>`;
}

describe('compileWorkflow', () => {
  describe('the process', () => {
    it('should compile nodes in document order, with their flows', async () => {
      // given
      const xml = model(line(job('b') + job('a'), 'a', 'b'));

      // when
      const graph = await compiled(xml);

      // then
      expect([...graph.nodes.keys()]).to.deep.equal(['start', 'b', 'a', 'end']);
      const a = graph.nodes.get('a');
      expect(a?.incoming).to.deep.equal([{ id: 'start-a', sourceId: 'start', targetId: 'a', condition: null }]);
      expect(a?.outgoing[0]).to.equal(graph.nodes.get('b')?.incoming[0]);
      expect([...graph.scopes.values()]).to.deep.equal([{ id: 'process', parentId: null, noneStartEvents: ['start'] }]);
    });

    it('should give the same graph for the same bytes', async () => {
      const xml = model(line(job('a'), 'a'));
      const text = (graph: Awaited<ReturnType<typeof compiled>>): string => JSON.stringify([...graph.nodes]);
      expect(text(await compiled(xml))).to.equal(text(await compiled(Buffer.from(xml))));
    });

    it('should tell name, description and elements', async () => {
      const documentation = '<bpmn:documentation>What it is for.</bpmn:documentation>';
      const graph = await compiled(
        model(documentation + line(element('task', 'a', '', documentation, 'name="A"'), 'a')),
      );
      expect(graph).to.include({
        workflowId: 'process',
        name: 'A process',
        description: 'What it is for.',
        inputSchema: null,
      });
      expect(describeElements(graph)[1]).to.deep.equal({
        elementId: 'a',
        name: 'A',
        type: 'task',
        scopeId: 'process',
        documentation: 'What it is for.',
      });
    });

    it('should take what only explains: pools, lanes, data objects, annotations, groups', async () => {
      // given
      const root = `<bpmn:collaboration id="c"><bpmn:participant id="us" processRef="process"/>
        <bpmn:participant id="them" name="Black box"/><bpmn:messageFlow id="mf" sourceRef="a" targetRef="them"/></bpmn:collaboration>
        <bpmn:process id="empty" isExecutable="false"/><bpmn:dataStore id="ds"/><bpmn:error id="e" errorCode="1"/>`;
      const around = `<bpmn:laneSet id="ls"><bpmn:lane id="l" name="People"><bpmn:flowNodeRef>a</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>
        <bpmn:dataObject id="do"/><bpmn:dataObjectReference id="dor" dataObjectRef="do"/>
        <bpmn:dataStoreReference id="dsr" dataStoreRef="ds"/>
        <bpmn:textAnnotation id="ta"><bpmn:text>note</bpmn:text></bpmn:textAnnotation><bpmn:group id="g"/>
        <bpmn:association id="as" sourceRef="a" targetRef="ta"/>`;
      const data = `<bpmn:property id="pr" name="__targetRef_placeholder"/><bpmn:dataInputAssociation id="dia">
        <bpmn:sourceRef>dor</bpmn:sourceRef><bpmn:targetRef>pr</bpmn:targetRef></bpmn:dataInputAssociation>`;

      // when
      const graph = await compiled(model(line(element('manualTask', 'a', '', data), 'a') + around, root));

      // then
      expect([...graph.nodes.keys()]).to.deep.equal(['start', 'a', 'end']);
    });

    it('should refuse files without or with several executable processes, and processes that would be left out', async () => {
      expect(await refusalsOf(definitions(''))).to.deep.equal(['- no_executable_process']);
      expect(await refusalsOf(definitions('<bpmn:process id="p"/>'))).to.deep.equal(['p no_executable_process']);
      const second = '<bpmn:process id="second" isExecutable="true"/>';
      expect(await refusalsOf(model(line(job('a'), 'a'), second))).to.include('process several_processes');
      const drawn = '<bpmn:process id="drawn"><bpmn:task id="x"/></bpmn:process>';
      expect(await refusalsOf(model(line(job('a'), 'a'), drawn))).to.deep.equal(['drawn process_not_executable']);
    });

    it('should report all problems at once', async () => {
      const xml = model(
        line(element('serviceTask', 'a') + element('callActivity', 'b') + element('scriptTask', 'c'), 'a', 'b', 'c'),
      );
      expect(await refusalsOf(xml)).to.deep.equal([
        'a missing_task_definition',
        'b unsupported_element',
        'c missing_script',
      ]);
    });

    it('should give a digest of the bytes', () => {
      const digest = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
      expect(workflowDigest('abc')).to.equal(digest);
      expect(workflowDigest(Buffer.from('abc'))).to.equal(digest);
    });
  });

  describe('tasks', () => {
    it('should compile a job with headers, retries and mappings', async () => {
      // given
      const extensions = `<zeebe:taskDefinition type="agent" retries="=tries"/>
        <zeebe:taskHeaders><zeebe:header key="agent" value="writer"/><zeebe:header key="prompt" value=""/></zeebe:taskHeaders>
        <zeebe:ioMapping><zeebe:input source="=order.total" target="sum.net"/><zeebe:input source="plain" target="text"/>
        <zeebe:output source="=result" target="done"/></zeebe:ioMapping>${properties({ area: 'docs', limit: '=max' })}`;

      // when
      const task = await nodeOf(model(line(element('serviceTask', 'a', extensions), 'a')), 'a', 'jobTask');

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
      it(`should compile a ${type} with a task definition as a job of its own type, three retries`, async () => {
        const xml = model(line(element(type, 'a', '<zeebe:taskDefinition type="work"/>'), 'a'));
        expect(await nodeOf(xml, 'a', 'jobTask')).to.deep.include({
          type,
          jobType: { literal: 'work' },
          retries: { literal: '3' },
        });
      });
    }

    it('should compile a script', async () => {
      const script = '<zeebe:script expression="=1 + x" resultVariable="sum"/>';
      const task = await nodeOf(model(line(element('scriptTask', 'a', script), 'a')), 'a', 'scriptTask');
      expect(task.resultVariable).to.equal('sum');
      expect(evaluate(task.expression, { x: 2 })).to.equal(3);
    });

    it('should pass manual and undefined tasks', async () => {
      const xml = model(line(element('manualTask', 'a') + element('task', 'b'), 'a', 'b'));
      expect((await nodeOf(xml, 'a', 'passTask')).type).to.equal('manualTask');
      expect((await nodeOf(xml, 'b', 'passTask')).type).to.equal('task');
    });

    const broken: readonly (readonly [string, string, string])[] = [
      ['an empty job type', element('serviceTask', 'a', '<zeebe:taskDefinition type=""/>'), 'missing_value'],
      [
        'retries that are no number',
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
        'a header twice',
        job(
          'a',
          'x',
          '<zeebe:taskHeaders><zeebe:header key="k" value="1"/><zeebe:header key="k" value="2"/></zeebe:taskHeaders>',
        ),
        'duplicate_name',
      ],
      [
        'a polluting header',
        job('a', 'x', '<zeebe:taskHeaders><zeebe:header key="__proto__" value="1"/></zeebe:taskHeaders>'),
        'reserved_name',
      ],
      [
        'a literal output',
        job('a', 'x', '<zeebe:ioMapping><zeebe:output source="1" target="b"/></zeebe:ioMapping>'),
        'expression_expected',
      ],
      [
        'a mapping without a source',
        job('a', 'x', '<zeebe:ioMapping><zeebe:input source="" target="b"/></zeebe:ioMapping>'),
        'missing_value',
      ],
      [
        'a mapping to no name',
        job('a', 'x', '<zeebe:ioMapping><zeebe:input source="=1" target="a b"/></zeebe:ioMapping>'),
        'invalid_target',
      ],
      [
        'a mapping that pollutes',
        job('a', 'x', '<zeebe:ioMapping><zeebe:input source="=1" target="a.constructor"/></zeebe:ioMapping>'),
        'invalid_target',
      ],
      [
        'a script that is literal',
        element('scriptTask', 'a', '<zeebe:script expression="1" resultVariable="x"/>'),
        'expression_expected',
      ],
      ['a script without a result', element('scriptTask', 'a', '<zeebe:script expression="=1"/>'), 'invalid_name'],
      [
        'JavaScript',
        element('scriptTask', 'a', '', '<bpmn:script>1+1</bpmn:script>', 'scriptFormat="javascript"'),
        'foreign_script',
      ],
      ['multi-instance', element('task', 'a', '', '<bpmn:multiInstanceLoopCharacteristics/>'), 'unsupported_property'],
      ['a loop marker', element('task', 'a', '', '<bpmn:standardLoopCharacteristics/>'), 'unsupported_property'],
      ['a compensation handler', element('task', 'a', '', '', 'isForCompensation="true"'), 'unsupported_property'],
      ['execution listeners', job('a', 'x', '<zeebe:executionListeners/>'), 'unsupported_extension'],
      ['task listeners', element('userTask', 'a', '<zeebe:taskListeners/>'), 'unsupported_extension'],
      [
        'DMN',
        element('businessRuleTask', 'a', '<zeebe:calledDecision decisionId="d" resultVariable="r"/>'),
        'unsupported_extension',
      ],
      [
        'a receive task that starts runs',
        element('receiveTask', 'a', '', '', 'messageRef="m" instantiate="true"'),
        'unsupported_property',
      ],
      ['resource roles', element('userTask', 'a', '', '<bpmn:potentialOwner id="po"/>'), 'unsupported_property'],
    ];
    for (const [what, task, code] of broken) {
      it(`should refuse ${what}`, async () => {
        expect(await refusalsOf(model(line(task, 'a'), MESSAGE))).to.include(`a ${code}`);
      });
    }

    it('should tell where an expression is wrong', async () => {
      const script = '<zeebe:script expression="=1 +\n  * 2" resultVariable="x"/>';
      const problems = await problemsOf(model(line(element('scriptTask', 'a', script), 'a')));
      expect(problems).to.have.length(1);
      expect(problems[0]).to.include({ elementId: 'a', code: 'invalid_expression', line: 4 });
      expect(problems[0]!.message).to.match(/expression of zeebe:script: .*line 1, column \d+/);
    });
  });

  describe('events', () => {
    it('should compile end events', async () => {
      const xml = model(
        line(job('a'), 'a').replace(
          '<bpmn:endEvent id="end"/>',
          element('endEvent', 'end', '', '<bpmn:terminateEventDefinition/>'),
        ),
      );
      expect((await nodeOf(xml, 'end', 'endEvent')).result).to.equal('terminate');
      expect((await nodeOf(model(line(job('a'), 'a')), 'end', 'endEvent')).result).to.equal('none');
    });

    for (const waiting of [
      catchEvent('a', '<bpmn:messageEventDefinition messageRef="m"/>'),
      element('receiveTask', 'a', '', '', 'messageRef="m"'),
    ]) {
      it(`should wait for a message: ${waiting.slice(6, 18)}`, async () => {
        const { trigger } = await nodeOf(model(line(waiting, 'a'), MESSAGE), 'a', 'catch');
        if (trigger.kind !== 'message' || trigger.correlationKey === null) throw new Error('no message with a key');
        expect(trigger.messageName).to.deep.equal({ literal: 'paid' });
        expect(evaluate(trigger.correlationKey, { order: { id: 'o-1' } })).to.equal('o-1');
      });
    }

    it('should wait for a timer', async () => {
      const duration = await nodeOf(model(line(catchEvent('a', timer('timeDuration', ' PT5M ')), 'a')), 'a', 'catch');
      expect(duration.trigger).to.deep.equal({ kind: 'timer', timer: 'duration', value: { literal: 'PT5M' } });
      const date = await nodeOf(
        model(line(catchEvent('a', timer('timeDate', '2030-01-01T00:00:00Z')), 'a')),
        'a',
        'catch',
      );
      expect(date.trigger).to.deep.include({ timer: 'date', value: { literal: '2030-01-01T00:00:00Z' } });
      const dynamic = await nodeOf(model(line(catchEvent('a', timer('timeDuration', '=patience')), 'a')), 'a', 'catch');
      expect(dynamic.trigger.kind === 'timer' && evaluate(dynamic.trigger.value, { patience: 'PT1S' })).to.equal(
        'PT1S',
      );
    });

    const broken: readonly (readonly [string, string, string])[] = [
      ['a catch event that waits for nothing', catchEvent('a', ''), 'missing_event_definition'],
      ['a message event without message', catchEvent('a', '<bpmn:messageEventDefinition/>'), 'missing_message'],
      [
        'a message without correlation key',
        element('receiveTask', 'a', '', '', 'messageRef="bare"'),
        'missing_correlation_key',
      ],
      ['a literal correlation key', element('receiveTask', 'a', '', '', 'messageRef="literal"'), 'expression_expected'],
      ['a cycle', catchEvent('a', timer('timeCycle', 'R3/PT1H')), 'unsupported_timer'],
      ['a duration that is none', catchEvent('a', timer('timeDuration', '5 minutes')), 'invalid_timer'],
      ['a date without offset', catchEvent('a', timer('timeDate', '2030-01-01T00:00:00')), 'invalid_timer'],
      ['an empty timer', catchEvent('a', '<bpmn:timerEventDefinition/>'), 'invalid_timer'],
      ['a signal', catchEvent('a', '<bpmn:signalEventDefinition/>'), 'unsupported_element'],
      [
        'two triggers',
        catchEvent('a', timer('timeDuration', 'PT1S') + timer('timeDuration', 'PT2S')),
        'unsupported_element',
      ],
      ['a throw event', element('intermediateThrowEvent', 'a'), 'unsupported_element'],
    ];
    const messages = `${MESSAGE}<bpmn:message id="bare" name="b"/><bpmn:message id="literal" name="l"><bpmn:extensionElements>
      <zeebe:subscription correlationKey="key"/></bpmn:extensionElements></bpmn:message>`;
    for (const [what, event, code] of broken) {
      it(`should refuse ${what}`, async () => {
        expect(await refusalsOf(model(line(event, 'a'), messages))).to.deep.equal([`a ${code}`]);
      });
    }

    it('should refuse start and end events with triggers', async () => {
      const start = element('startEvent', 'start', '', '<bpmn:messageEventDefinition messageRef="m"/>');
      const end = element('endEvent', 'end', '', '<bpmn:errorEventDefinition/>');
      const xml = model(start + end + flow('start', 'end'), MESSAGE);
      expect(await refusalsOf(xml)).to.include.members(['start unsupported_element', 'end unsupported_element']);
    });

    it('should refuse boundary events and the other containers by their id', async () => {
      const boundary = element('boundaryEvent', 'b', '', timer('timeDuration', 'PT1S'), 'attachedToRef="a"');
      const others = [
        'subProcess',
        'transaction',
        'adHocSubProcess',
        'callActivity',
        'inclusiveGateway',
        'eventBasedGateway',
        'complexGateway',
      ];
      const nodes = others.map((type) => element(type, type)).join('');
      expect(await refusalsOf(model(line(job('a') + boundary + nodes, 'a', ...others)))).to.have.members(
        ['b', ...others].map((id) => `${id} unsupported_element`),
      );
    });
  });

  describe('input schema', () => {
    const schema = (text: string): string =>
      model(
        `<bpmn:extensionElements>${properties({ inputSchema: text })}</bpmn:extensionElements>${line(job('a'), 'a')}`,
      );

    it('should keep a schema', async () => {
      const graph = await compiled(
        schema('{"type":"object","properties":{"x":{"$ref":"#/$defs/y"}},"$defs":{"y":{"type":"string"}}}'),
      );
      expect(graph.inputSchema).to.have.property('type', 'object');
    });

    for (const text of [
      'nonsense',
      '[]',
      '{"__proto__":{}}',
      '{"type":"strng"}',
      '{"required":"x"}',
      '{"properties":[]}',
      '{"allOf":{}}',
      '{"items":"x"}',
      '{"pattern":"("}',
      '{"$ref":"http://example.org"}',
      '{"$ref":"#/gone"}',
      '{"$ref":"#"}',
      '{"properties":{"a":{"allOf":[{"$ref":"#/properties/a"}]}}}',
      `${'{"not":'.repeat(100)}{}${'}'.repeat(100)}`,
    ]) {
      it(`should refuse ${text.slice(0, 60)}`, async () => {
        expect(await refusalsOf(schema(text))).to.deep.equal(['process invalid_input_schema']);
      });
    }

    it('should take a schema that refers to itself by its parts', async () => {
      const graph = await compiled(schema('{"properties":{"next":{"$ref":"#"}}}'));
      expect(graph.inputSchema).to.have.property('properties');
    });
  });
});
