import { expect } from 'chai';
import { compileDecisions, defineDecision } from '@countersign/bpmn/dmn';
import { decision, definitions, table } from '../../bpmn/dist/dmn/decisions.spec.support.js';
import type { AdvanceContext, OutgoingMessage, WorkflowGraph } from '@countersign/model';
import { advance } from './advance.js';
import { approval, end, flows, graphOf, job, start, TestRun, user } from './interpreter.spec.support.js';
import { replayed } from './replay/replayed.spec.support.js';

const RULE =
  '<bpmn:businessRuleTask id="rate"><bpmn:extensionElements><zeebe:calledDecision decisionId="d" resultVariable="rating"/></bpmn:extensionElements></bpmn:businessRuleTask>';
const RATED =
  start + job('work') + RULE + approval('ok') + end + flows('start > work', 'work > rate', 'rate > ok', 'ok > end');
const BESIDE = `${start}<bpmn:parallelGateway id="fork"/>${job('work')}${RULE}${approval('ok')}${flows('start > fork', 'fork > ok', 'fork > work', 'work > rate')}`;
const CALLING = `${start}<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="other"/></bpmn:extensionElements></bpmn:callActivity>${end}${flows('start > call', 'call > end')}`;

/** A run of a version that dora deployed, with a DMN decision that dan deployed; `strict` excludes deployers. */
async function runOf(elements: string, strict = true): Promise<TestRun> {
  const run = await TestRun.of(elements);
  const found = (await compileDecisions(definitions(decision('d', table({ rules: ['- => "low"'] }))))).decisions.get(
    'd',
  )!;
  const deployed = defineDecision(found, { version: 1, digest: 'sha256:d', deployedBy: 'dan' });
  run.decisions = (id) => (id === 'd' ? deployed : undefined);
  run.context = (): AdvanceContext => {
    const context = TestRun.prototype.context.call(run);
    return { ...context, settings: { ...context.settings, excludeDeployers: strict }, deployedBy: 'dora' };
  };
  return run;
}

/** Moves the run to a version that emil deployed. */
function migrate(run: TestRun, target: WorkflowGraph): void {
  const command = {
    type: 'migrate',
    actor: user('otto'),
    workflowVersion: 2,
    workflowDigest: 'sha256:2',
    mapping: {},
    comment: null,
  } as const;
  const result = advance(run.graph, run.state, command, {
    ...run.context(),
    target,
    deployedBy: 'emil',
    leftDeployedBy: 'dora',
  });
  expect(result.refusal).to.equal(null);
  run.state = result.state;
  run.events.push(...result.events);
  run.requests.push(...result.requests);
  const { context } = run;
  run.context = () => ({ ...context.call(run), deployedBy: 'emil' });
}

const refusalOf = (run: TestRun, id: string): string | undefined => run.vote('ok', 'approve', user(id)).refusal?.code;

describe('deployers of the versions and DMN decisions that a run uses', () => {
  it('should be excluded from approvals, for the current version, an earlier version or a DMN decision', async () => {
    // given
    const run = await runOf(RATED);
    run.start();
    migrate(run, await graphOf(RATED));
    run.complete('work');

    // then
    for (const id of ['emil', 'dora', 'dan']) expect(refusalOf(run, id), id).to.equal('self_approval');
    expect(refusalOf(run, 'ann')).to.equal(undefined);
  });

  it('should be excluded only if excludeDeployers is enabled, even after the run has started', async () => {
    const lenient = await runOf(RATED, false);
    lenient.start();
    lenient.complete('work');
    const strict = await runOf(RATED);
    strict.state = lenient.state;
    expect(refusalOf(strict, 'dan')).to.equal('self_approval');
    expect(refusalOf(lenient, 'dan')).to.equal(undefined);
  });

  it('should be excluded from approvals that are pending already', async () => {
    const run = await runOf(BESIDE);
    run.start();
    run.complete('work');
    const excluded = run.requests.flatMap((request) => (request.type === 'approval.exclude' ? [request.excluded] : []));
    expect(excluded.at(-1)).to.include({ dora: 'deployed_model', dan: 'deployed_model' });
  });

  it('should be sent to child runs as contributors', async () => {
    const run = await runOf(CALLING);
    run.start();
    const sent = run.requests.flatMap((request): OutgoingMessage[] =>
      request.type === 'send' ? [request.message] : [],
    );
    expect(sent.map((message) => message.kind === 'child.start' && message.contributors)).to.deep.equal([['dora']]);
  });

  it('should be restored by a replay, which also accepts histories without recorded deployers', async () => {
    // given
    const run = await runOf(RATED);
    run.start();
    const target = await graphOf(RATED);
    migrate(run, target);
    run.complete('work');
    const graphs = new Map([
      ['sha256:1', run.graph],
      ['sha256:2', target],
    ]);

    // then
    expect(run.state?.deployers).to.deep.equal(['dora', 'dan']);
    const told = replayed(run, (digest) => graphs.get(digest));
    expect(told?.deployers).to.deep.equal(['dora', 'dan']);

    // when
    for (const [index, event] of run.events.entries()) {
      if (event.private === null) continue;
      const { deployedBy: _deployedBy, leftDeployedBy: _left, ...rest } = event.private;
      run.events[index] = { ...event, private: rest };
    }

    // then
    const older = replayed(run, (digest) => graphs.get(digest));
    expect(older?.deployers).to.equal(undefined);
    expect(older?.instances).to.deep.equal(told?.instances);
  });
});
