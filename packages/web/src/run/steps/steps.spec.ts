import { expect } from 'chai';
import type { Step } from '@countersign/contract';
import { processFrom } from '../model-index.spec.support.js';
import { aStep, moment } from '../run-page.spec.support.js';
import { findByPrefix, rowsOf, spanOf, type StepRow } from './step-rows.js';
import { findScopes } from './step-scopes.js';
import { countTaken, findSources } from './step-sources.js';

const EACH = (loop: string): string =>
  `<bpmn:startEvent id="start" /><bpmn:subProcess id="each">${loop}<bpmn:startEvent id="in" /><bpmn:task id="ship" /><bpmn:sequenceFlow id="inner" sourceRef="in" targetRef="ship" /></bpmn:subProcess>`;

describe('taken flows and scopes of the steps of a run', () => {
  it('should derive the taken flows from the times of the steps', async () => {
    // given a gateway with a loop that runs once
    const map = await processFrom(
      '<bpmn:startEvent id="start" /><bpmn:task id="a" /><bpmn:exclusiveGateway id="again" /><bpmn:endEvent id="end" />',
      'start > a',
      'a > again',
      'again > a',
      'again > end',
    );
    const steps = [
      aStep('start', { type: 'startEvent' }),
      aStep('a', { completedAt: moment(5) }),
      aStep('again', { type: 'exclusiveGateway', startedAt: moment(5) }),
      aStep('a', { stepId: 'a2', startedAt: moment(5), status: 'waiting' }),
    ];

    // then
    expect(taken(steps, map)).to.deep.equal({ 'flow-1': 1, 'flow-2': 1, 'flow-3': 1 });
  });

  it('should count the flow of a token that waits at a join', async () => {
    // given
    const map = await processFrom(
      '<bpmn:task id="a" /><bpmn:task id="b" /><bpmn:parallelGateway id="join" /><bpmn:task id="c" />',
      'a > join',
      'b > join',
      'join > c',
    );
    const waiting = [aStep('a', { completedAt: moment(5) }), aStep('b', { status: 'active' })];
    const joined = [
      waiting[0],
      aStep('b', { completedAt: moment(9) }),
      aStep('join', { type: 'parallelGateway', startedAt: moment(9) }),
      aStep('c', { startedAt: moment(9) }),
    ] as Step[];

    // then
    expect(taken(waiting, map)).to.deep.equal({ 'flow-1': 1 });
    expect(taken(joined, map)).to.deep.equal({ 'flow-1': 1, 'flow-2': 1, 'flow-3': 1 });
  });

  it('should assign each step to its loop instance', async () => {
    // given
    const map = await processFrom(EACH('<bpmn:multiInstanceLoopCharacteristics />'), 'start > each');
    const steps = [
      aStep('start', { type: 'startEvent' }),
      aStep('each', { stepId: 'body', type: 'multiInstanceBody', status: 'active' }),
      aStep('each', { stepId: 'one', type: 'subProcess', status: 'active' }),
      aStep('each', { stepId: 'two', type: 'subProcess', status: 'active', iteration: 2 }),
      aStep('in', { stepId: 'in-1', type: 'startEvent' }),
      aStep('in', { stepId: 'in-2', type: 'startEvent', completedAt: moment(3) }),
      // The second loop instance continues first.
      aStep('ship', { stepId: 'ship-2', startedAt: moment(3), status: 'active' }),
      aStep('ship', { stepId: 'ship-1', startedAt: moment(0), status: 'active' }),
    ];

    // when
    const scopes = findScopes(steps, map, findSources(steps, map));

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
    const map = await processFrom(EACH(''), 'start > each');
    const steps = [
      aStep('each', { stepId: 'one', type: 'subProcess', completedAt: moment(5) }),
      aStep('in', { stepId: 'in-1', type: 'startEvent' }),
      aStep('each', { stepId: 'two', type: 'subProcess', startedAt: moment(9), status: 'active', iteration: 2 }),
      aStep('in', { stepId: 'in-2', type: 'startEvent', startedAt: moment(9) }),
      aStep('ship', { stepId: 'ship-2', startedAt: moment(12), status: 'active' }),
    ];

    // then
    expect(Object.fromEntries(findScopes(steps, map, new Map()))).to.deep.equal({
      'in-1': 'one',
      'in-2': 'two',
      'ship-2': 'two',
    });
  });
});

describe('rows of the step tree', () => {
  const steps = [
    aStep('start'),
    aStep('part', { name: 'Part' }),
    aStep('ship', { name: 'Ship it', status: 'failed' }),
    aStep('bill', { agentName: 'biller' }),
    aStep('end'),
  ];
  const scopes = new Map([
    ['ship', 'part'],
    ['bill', 'part'],
  ]);
  const lines = (more: Partial<Parameters<typeof rowsOf>[0]>): readonly StepRow[] =>
    rowsOf({ steps, scopes, collapsed: new Set(), filter: 'all', search: '', ...more });

  it('should show each step below its parent step', () => {
    expect(
      lines({}).map(({ label, level, position, siblings, expanded }) => [label, level, position, siblings, expanded]),
    ).to.deep.equal([
      ['start', 1, 1, 3, undefined],
      ['Part', 1, 2, 3, true],
      ['Ship it', 2, 1, 2, undefined],
      ['bill', 2, 2, 2, undefined],
      ['end', 1, 3, 3, undefined],
    ]);
    expect(lines({ collapsed: new Set(['part']) }).map(({ label }) => label)).to.deep.equal(['start', 'Part', 'end']);
  });

  it('should show matching steps with their parents, even if the parents are collapsed', () => {
    expect(lines({ filter: 'failed', collapsed: new Set(['part']) }).map(({ label }) => label)).to.deep.equal([
      'Part',
      'Ship it',
    ]);
    expect(lines({ search: ' BILLER ' }).map(({ label }) => label)).to.deep.equal(['Part', 'bill']);
    expect(lines({ search: 'nothing' })).to.deep.equal([]);
  });

  it('should find the next row by its first letters', () => {
    const rows = lines({});
    expect([findByPrefix(rows, 1, 's'), findByPrefix(rows, 3, 'S'), findByPrefix(rows, 0, 'x')]).to.deep.equal([
      2, 0, -1,
    ]);
  });

  it('should place a step on the time axis of the run', () => {
    const run = { from: Date.parse(moment(0)), to: Date.parse(moment(100)) };
    expect(spanOf(aStep('a', { startedAt: moment(25), completedAt: moment(75) }), run, 0)).to.deep.equal({
      left: 0.25,
      width: 0.5,
    });
    expect(spanOf(aStep('a', { startedAt: moment(90), status: 'active' }), run, Date.parse(moment(200)))).to.deep.equal(
      { left: 0.9, width: 1 - 0.9 },
    );
    expect(spanOf(aStep('a', { startedAt: moment(25), status: 'active' }), run, Date.parse(moment(20)))).to.deep.equal({
      left: 0.25,
      width: 0,
    });
  });
});

function taken(steps: readonly Step[], map: Awaited<ReturnType<typeof processFrom>>): Record<string, number> {
  return Object.fromEntries([...countTaken(steps, map, findSources(steps, map))].sort());
}
