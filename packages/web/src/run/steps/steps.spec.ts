import { expect } from 'chai';
import type { Step } from '@countersign/contract';
import { indexProcess } from '../model-index.spec.support.js';
import { createStep, timeAfterStart } from '../run-page.spec.support.js';
import { findByPrefix, buildStepRows, computeSpan, type StepRow } from './step-rows.js';
import { findScopes } from './step-scopes.js';
import { countTakenFlows, findSources } from './step-sources.js';

const subProcessXml = (loop: string): string =>
  `<bpmn:startEvent id="start" /><bpmn:subProcess id="each">${loop}<bpmn:startEvent id="in" /><bpmn:task id="ship" /><bpmn:sequenceFlow id="inner" sourceRef="in" targetRef="ship" /></bpmn:subProcess>`;

describe('taken flows and scopes of the steps of a run', () => {
  it('should derive the taken flows from the times of the steps', async () => {
    // given a gateway with a loop that runs once
    const modelIndex = await indexProcess(
      '<bpmn:startEvent id="start" /><bpmn:task id="a" /><bpmn:exclusiveGateway id="again" /><bpmn:endEvent id="end" />',
      'start > a',
      'a > again',
      'again > a',
      'again > end',
    );
    const steps = [
      createStep('start', { type: 'startEvent' }),
      createStep('a', { completedAt: timeAfterStart(5) }),
      createStep('again', { type: 'exclusiveGateway', startedAt: timeAfterStart(5) }),
      createStep('a', { stepId: 'a2', startedAt: timeAfterStart(5), status: 'waiting' }),
    ];

    // then
    expect(countFlows(steps, modelIndex)).to.deep.equal({ 'flow-1': 1, 'flow-2': 1, 'flow-3': 1 });
  });

  it('should count the flow of a token that waits at a join', async () => {
    // given
    const modelIndex = await indexProcess(
      '<bpmn:task id="a" /><bpmn:task id="b" /><bpmn:parallelGateway id="join" /><bpmn:task id="c" />',
      'a > join',
      'b > join',
      'join > c',
    );
    const waitingSteps = [createStep('a', { completedAt: timeAfterStart(5) }), createStep('b', { status: 'active' })];
    const joinedSteps = [
      waitingSteps[0],
      createStep('b', { completedAt: timeAfterStart(9) }),
      createStep('join', { type: 'parallelGateway', startedAt: timeAfterStart(9) }),
      createStep('c', { startedAt: timeAfterStart(9) }),
    ] as Step[];

    // then
    expect(countFlows(waitingSteps, modelIndex)).to.deep.equal({ 'flow-1': 1 });
    expect(countFlows(joinedSteps, modelIndex)).to.deep.equal({ 'flow-1': 1, 'flow-2': 1, 'flow-3': 1 });
  });

  it('should assign each step to its loop instance', async () => {
    // given
    const modelIndex = await indexProcess(subProcessXml('<bpmn:multiInstanceLoopCharacteristics />'), 'start > each');
    const steps = [
      createStep('start', { type: 'startEvent' }),
      createStep('each', { stepId: 'body', type: 'multiInstanceBody', status: 'active' }),
      createStep('each', { stepId: 'one', type: 'subProcess', status: 'active' }),
      createStep('each', { stepId: 'two', type: 'subProcess', status: 'active', iteration: 2 }),
      createStep('in', { stepId: 'in-1', type: 'startEvent' }),
      createStep('in', { stepId: 'in-2', type: 'startEvent', completedAt: timeAfterStart(3) }),
      // The second loop instance continues first.
      createStep('ship', { stepId: 'ship-2', startedAt: timeAfterStart(3), status: 'active' }),
      createStep('ship', { stepId: 'ship-1', startedAt: timeAfterStart(0), status: 'active' }),
    ];

    // when
    const scopes = findScopes(steps, modelIndex, findSources(steps, modelIndex));

    // then
    expect(Object.fromEntries(scopes)).to.deep.equal({
      'one': 'body',
      'two': 'body',
      'in-1': 'one',
      'in-2': 'two',
      'ship-2': 'two',
      'ship-1': 'one',
    });
  });

  it('should assign each step to its entry of the sub-process', async () => {
    // given a sub-process that is entered again after its end
    const modelIndex = await indexProcess(subProcessXml(''), 'start > each');
    const steps = [
      createStep('each', { stepId: 'one', type: 'subProcess', completedAt: timeAfterStart(5) }),
      createStep('in', { stepId: 'in-1', type: 'startEvent' }),
      createStep('each', {
        stepId: 'two',
        type: 'subProcess',
        startedAt: timeAfterStart(9),
        status: 'active',
        iteration: 2,
      }),
      createStep('in', { stepId: 'in-2', type: 'startEvent', startedAt: timeAfterStart(9) }),
      createStep('ship', { stepId: 'ship-2', startedAt: timeAfterStart(12), status: 'active' }),
    ];

    // then
    expect(Object.fromEntries(findScopes(steps, modelIndex, new Map()))).to.deep.equal({
      'in-1': 'one',
      'in-2': 'two',
      'ship-2': 'two',
    });
  });
});

describe('rows of the step tree', () => {
  const steps = [
    createStep('start'),
    createStep('part', { name: 'Part' }),
    createStep('ship', { name: 'Ship it', status: 'failed' }),
    createStep('bill', { agentName: 'biller' }),
    createStep('end'),
  ];
  const scopes = new Map([
    ['ship', 'part'],
    ['bill', 'part'],
  ]);
  const buildRows = (overrides: Partial<Parameters<typeof buildStepRows>[0]>): readonly StepRow[] =>
    buildStepRows({ steps, scopes, collapsed: new Set(), filter: 'all', search: '', ...overrides });

  it('should show each step below its parent step', () => {
    expect(
      buildRows({}).map(({ label, level, position, siblingCount: siblings, expanded }) => [
        label,
        level,
        position,
        siblings,
        expanded,
      ]),
    ).to.deep.equal([
      ['start', 1, 1, 3, undefined],
      ['Part', 1, 2, 3, true],
      ['Ship it', 2, 1, 2, undefined],
      ['bill', 2, 2, 2, undefined],
      ['end', 1, 3, 3, undefined],
    ]);
    expect(buildRows({ collapsed: new Set(['part']) }).map(({ label }) => label)).to.deep.equal([
      'start',
      'Part',
      'end',
    ]);
  });

  it('should show matching steps with their parents, even if the parents are collapsed', () => {
    expect(buildRows({ filter: 'failed', collapsed: new Set(['part']) }).map(({ label }) => label)).to.deep.equal([
      'Part',
      'Ship it',
    ]);
    expect(buildRows({ search: ' BILLER ' }).map(({ label }) => label)).to.deep.equal(['Part', 'bill']);
    expect(buildRows({ search: 'nothing' })).to.deep.equal([]);
  });

  it('should find the next row by its first letters', () => {
    const rows = buildRows({});
    expect([findByPrefix(rows, 1, 's'), findByPrefix(rows, 3, 'S'), findByPrefix(rows, 0, 'x')]).to.deep.equal([
      2, 0, -1,
    ]);
  });

  it('should place a step on the time axis of the run', () => {
    const range = { from: Date.parse(timeAfterStart(0)), to: Date.parse(timeAfterStart(100)) };
    expect(
      computeSpan(createStep('a', { startedAt: timeAfterStart(25), completedAt: timeAfterStart(75) }), range, 0),
    ).to.deep.equal({
      left: 0.25,
      width: 0.5,
    });
    expect(
      computeSpan(
        createStep('a', { startedAt: timeAfterStart(90), status: 'active' }),
        range,
        Date.parse(timeAfterStart(200)),
      ),
    ).to.deep.equal({ left: 0.9, width: 1 - 0.9 });
    expect(
      computeSpan(
        createStep('a', { startedAt: timeAfterStart(25), status: 'active' }),
        range,
        Date.parse(timeAfterStart(20)),
      ),
    ).to.deep.equal({
      left: 0.25,
      width: 0,
    });
  });
});

function countFlows(
  steps: readonly Step[],
  modelIndex: Awaited<ReturnType<typeof indexProcess>>,
): Record<string, number> {
  return Object.fromEntries([...countTakenFlows(steps, modelIndex, findSources(steps, modelIndex))].sort());
}
