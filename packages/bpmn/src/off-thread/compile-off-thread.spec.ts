import { expect } from 'chai';
import { countEventLoopTurns } from '@countersign/model/testing';
import { type DmnDecisionGraph, isModelRefusedError } from '@countersign/model';
import { compileWorkflows } from '../compile-workflow.js';
import { lintWorkflows } from '../lint/lint-workflows.js';
import { compileDecisions } from '../dmn/index.js';
import { checkWorkflowsOffThread, compileDecisionsOffThread, compileWorkflowsOffThread } from './compile-off-thread.js';
import { pack } from './packed.js';

const NOW = Date.UTC(2026, 0, 1);
const TASK_COUNT = 600;
const RULE_COUNT = 400;

/**
 * Builds a BPMN file with a sequence of tasks with mappings and a gateway with a condition.
 *
 * @param invalidElement invalid XML to insert
 */
function buildModel(taskCount: number, invalidElement = ''): string {
  const ids = Array.from({ length: taskCount }, (_, index) => `task-${index}`);
  const elementIds = ['start', ...ids, 'choice'];
  const mappedTask = (id: string): string =>
    `<bpmn:task id="${id}"><bpmn:extensionElements><zeebe:ioMapping><zeebe:input source="=x + 1" target="y.z"/></zeebe:ioMapping></bpmn:extensionElements></bpmn:task>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t">
<bpmn:process id="p" isExecutable="true">${invalidElement}<bpmn:startEvent id="start"/>${ids.map(mappedTask).join('')}
<bpmn:exclusiveGateway id="choice" default="no"/><bpmn:endEvent id="end"/>
${elementIds
  .slice(1)
  .map((id, index) => `<bpmn:sequenceFlow id="flow-${index}" sourceRef="${elementIds[index]}" targetRef="${id}"/>`)
  .join('')}
<bpmn:sequenceFlow id="yes" sourceRef="choice" targetRef="end"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=x &gt; 1</bpmn:conditionExpression></bpmn:sequenceFlow>
<bpmn:sequenceFlow id="no" sourceRef="choice" targetRef="end"/>
</bpmn:process></bpmn:definitions>`;
}

const catchProblems = (compilation: Promise<unknown>): Promise<unknown> =>
  compilation.then(
    () => undefined,
    (error: unknown) => (isModelRefusedError(error) ? error.problems : error),
  );

describe('checkWorkflowsOffThread()', () => {
  it('should return the same result as compiling and linting on the main thread, without blocking the event loop', async () => {
    // given
    const xml = buildModel(TASK_COUNT);
    const directResult = await compileWorkflows(xml);

    // when
    const { value, turns } = await countEventLoopTurns(() => checkWorkflowsOffThread(xml, { now: NOW }));

    // then
    expect(turns).to.be.greaterThan(1);
    expect(pack(value.file)).to.deep.equal(pack(directResult));
    expect(value.findings).to.deep.equal(lintWorkflows(directResult, { now: NOW }));
    const flow = value.file.workflows[0]?.graph.nodes.get('choice')?.outgoing[0];
    expect([
      flow?.condition?.evaluate({ now: NOW, variables: { get: () => 2 } }),
      flow?.condition?.reads,
    ]).to.deep.equal([true, [['x']]]);
  });

  it('should share a flow object between its source and target nodes, as on the main thread', async () => {
    const { workflows } = await compileWorkflowsOffThread(buildModel(TASK_COUNT));
    const nodes = workflows[0]?.graph.nodes;
    const directResult = (await compileWorkflows(buildModel(TASK_COUNT))).workflows[0]?.graph.nodes;
    const isShared = (from: typeof nodes): boolean =>
      from?.get('task-0')?.outgoing[0] === from?.get('task-1')?.incoming[0];
    expect(isShared(nodes)).to.equal(isShared(directResult));
  });

  it('should report the same problems as compiling on the main thread for a refused BPMN model', async () => {
    for (const invalidXml of ['<bpmn:scriptTask id="lost"/>', '<bpmn:task id="a b"/>', '<unclosed>']) {
      const xml = buildModel(TASK_COUNT, invalidXml);
      const directResult = await catchProblems(compileWorkflows(xml));

      expect(directResult, invalidXml).to.be.an('array').that.is.not.empty;
      expect(await catchProblems(compileWorkflowsOffThread(xml))).to.deep.equal(directResult);
    }
  });

  it('should compile several files concurrently even if one of them is refused', async () => {
    const results = await Promise.all(
      [buildModel(TASK_COUNT), buildModel(TASK_COUNT, '<unclosed>'), buildModel(TASK_COUNT), buildModel(1)].map((xml) =>
        compileWorkflowsOffThread(xml).then(
          ({ workflows }) => workflows[0]?.graph.nodes.size,
          () => 'refused',
        ),
      ),
    );
    expect(results).to.deep.equal([TASK_COUNT + 3, 'refused', TASK_COUNT + 3, 4]);
  });
});

/**
 * Builds a DMN file with a decision table that has two inputs and a ranked output, and a DMN decision that requires it.
 *
 * @param invalidRule an invalid rule to insert
 */
function buildDmnModel(ruleCount: number, invalidRule = ''): string {
  const rule = (index: number): string =>
    `<rule id="rule-${index}"><inputEntry id="x-${index}"><text>[${index}..${index + 1})</text></inputEntry><inputEntry id="y-${index}"><text>-</text></inputEntry><outputEntry id="out-${index}"><text>${index % 2 === 0 ? '"low"' : '"high"'}</text></outputEntry></rule>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="risks" name="Risks" namespace="n">
<decision id="rank" name="Rank"><decisionTable id="table" hitPolicy="PRIORITY">
<input id="in-x"><inputExpression id="of-x"><text>x</text></inputExpression></input>
<input id="in-y"><inputExpression id="of-y"><text>y</text></inputExpression></input>
<output id="out" name="rank"><outputValues id="values"><text>"high","low"</text></outputValues></output>
${Array.from({ length: ruleCount }, (_, index) => rule(index)).join('')}${invalidRule}
</decisionTable></decision>
<decision id="words" name="Words"><informationRequirement id="needs"><requiredDecision href="#rank"/></informationRequirement><literalExpression id="text"><text>"rank " + rank</text></literalExpression></decision>
</definitions>`;
}

describe('compileDecisionsOffThread()', () => {
  it('should return the same result as compiling on the main thread, without blocking the event loop', async () => {
    // given
    const xml = buildDmnModel(RULE_COUNT);
    const directResult = await compileDecisions(xml);

    // when
    const { value, turns } = await countEventLoopTurns(() => compileDecisionsOffThread(xml));

    // then
    expect(turns).to.be.greaterThan(1);
    const summarize = ({ decisions: all, ...graph }: DmnDecisionGraph) => [
      graph,
      [...all].map(([id, { evaluate: _evaluate, ...decision }]) => [id, decision]),
    ];
    expect(summarize(value)).to.deep.equal(summarize(directResult));
    for (const x of [0, 7, RULE_COUNT - 1, -1]) {
      const scope = { now: NOW, variables: { get: (name: string) => (name === 'x' ? x : undefined) } };
      for (const id of ['rank', 'words'])
        expect(value.decisions.get(id)?.evaluate(scope)).to.deep.equal(directResult.decisions.get(id)?.evaluate(scope));
    }
    const scopeWithSeven = { now: NOW, variables: { get: () => 7 } };
    expect(value.decisions.get('words')?.evaluate(scopeWithSeven).output).to.equal('rank high');
  });

  it('should compile a chain of 4,000 DMN decisions without a stack overflow', async () => {
    const length = 4_000;
    const chain = Array.from(
      { length },
      (_, index) =>
        `<decision id="d${index}" name="n">${index === length - 1 ? '' : `<informationRequirement id="r${index}"><requiredDecision href="#d${index + 1}"/></informationRequirement>`}<literalExpression id="t${index}"><text>${index === length - 1 ? '1' : `d${index + 1} + 1`}</text></literalExpression></decision>`,
    ).join('');
    const { decisions: all } = await compileDecisionsOffThread(
      `<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="chain" name="Chain" namespace="n">${chain}</definitions>`,
    );
    expect(all.size).to.equal(length);
    const { output } = all.get(`d${length - 100}`)?.evaluate({ now: NOW, variables: { get: () => undefined } }) ?? {};
    expect(output).to.equal(100);
  });

  it('should report the same problems as compiling on the main thread for a refused DMN model', async () => {
    for (const invalidXml of [
      '<rule id="r"><inputEntry id="e"><text>&gt;&gt;</text></inputEntry></rule>',
      '<unclosed>',
    ]) {
      const xml = buildDmnModel(RULE_COUNT, invalidXml);
      const directResult = await catchProblems(compileDecisions(xml));
      expect(directResult, invalidXml).to.be.an('array').that.is.not.empty;
      expect(await catchProblems(compileDecisionsOffThread(xml))).to.deep.equal(directResult);
    }
  });
});
