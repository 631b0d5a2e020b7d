import { expect } from 'chai';
import { compileDecisions, defineDecision } from '@countersign/bpmn/dmn';
import { decision, definitions, table } from '../../bpmn/dist/dmn/decisions.spec.support.js';
import type { AdvanceContext, OutgoingMessage, WorkflowGraph } from '@countersign/model';
import { advance } from './advance.js';
import { approval, end, flows, compileGraph, job, start, TestRun, user } from './interpreter.spec.support.js';
import { replayRun } from './replay/replay-run.spec.support.js';

const BUSINESS_RULE_TASK =
  '<bpmn:businessRuleTask id="rate"><bpmn:extensionElements><zeebe:calledDecision decisionId="d" resultVariable="rating"/></bpmn:extensionElements></bpmn:businessRuleTask>';
const DECISION_MODEL =
  start +
  job('work') +
  BUSINESS_RULE_TASK +
  approval('ok') +
  end +
  flows('start > work', 'work > rate', 'rate > ok', 'ok > end');
const PARALLEL_MODEL = `${start}<bpmn:parallelGateway id="fork"/>${job('work')}${BUSINESS_RULE_TASK}${approval('ok')}${flows('start > fork', 'fork > ok', 'fork > work', 'work > rate')}`;
const CALL_ACTIVITY_MODEL = `${start}<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="other"/></bpmn:extensionElements></bpmn:callActivity>${end}${flows('start > call', 'call > end')}`;

/** Creates a run of a version that dora deployed, with a DMN decision that dan deployed. */
async function createRun(elements: string, excludesDeployers = true): Promise<TestRun> {
  const run = await TestRun.of(elements);
  const compiledDecision = (
    await compileDecisions(definitions(decision('d', table({ rules: ['- => "low"'] }))))
  ).decisions.get('d')!;
  const deployedDecision = defineDecision(compiledDecision, { version: 1, digest: 'sha256:d', deployedBy: 'dan' });
  run.decisions = (id) => (id === 'd' ? deployedDecision : undefined);
  run.context = (): AdvanceContext => {
    const context = TestRun.prototype.context.call(run);
    return { ...context, settings: { ...context.settings, excludeDeployers: excludesDeployers }, deployedBy: 'dora' };
  };
  return run;
}

/** Migrates the run to a version that emil deployed. */
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

const voteRefusalCode = (run: TestRun, id: string): string | undefined =>
  run.vote('ok', 'approve', user(id)).refusal?.code;

describe('deployers of the versions and DMN decisions that a run uses', () => {
  it('should be excluded from approvals, for the current version, an earlier version or a DMN decision', async () => {
    // given
    const run = await createRun(DECISION_MODEL);
    run.start();
    migrate(run, await compileGraph(DECISION_MODEL));
    run.complete('work');

    // then
    for (const id of ['emil', 'dora', 'dan']) expect(voteRefusalCode(run, id), id).to.equal('self_approval');
    expect(voteRefusalCode(run, 'ann')).to.equal(undefined);
  });

  it('should be excluded only if excludeDeployers is enabled, even if it was disabled when the run started', async () => {
    const lenientRun = await createRun(DECISION_MODEL, false);
    lenientRun.start();
    lenientRun.complete('work');
    const strictRun = await createRun(DECISION_MODEL);
    strictRun.state = lenientRun.state;
    expect(voteRefusalCode(strictRun, 'dan')).to.equal('self_approval');
    expect(voteRefusalCode(lenientRun, 'dan')).to.equal(undefined);
  });

  it('should be excluded from approvals that are already pending', async () => {
    const run = await createRun(PARALLEL_MODEL);
    run.start();
    run.complete('work');
    const excluded = run.requests.flatMap((request) => (request.type === 'approval.exclude' ? [request.excluded] : []));
    expect(excluded.at(-1)).to.include({ dora: 'deployed_model', dan: 'deployed_model' });
  });

  it('should be sent to child runs as contributors', async () => {
    const run = await createRun(CALL_ACTIVITY_MODEL);
    run.start();
    const sentMessages = run.requests.flatMap((request): OutgoingMessage[] =>
      request.type === 'send' ? [request.message] : [],
    );
    expect(sentMessages.map((message) => message.kind === 'child.start' && message.contributors)).to.deep.equal([
      ['dora'],
    ]);
  });

  it('should be restored by a replay, which also accepts histories without recorded deployers', async () => {
    // given
    const run = await createRun(DECISION_MODEL);
    run.start();
    const target = await compileGraph(DECISION_MODEL);
    migrate(run, target);
    run.complete('work');
    const graphs = new Map([
      ['sha256:1', run.graph],
      ['sha256:2', target],
    ]);

    // then
    expect(run.state?.deployers).to.deep.equal(['dora', 'dan']);
    const replayedState = replayRun(run, (digest) => graphs.get(digest));
    expect(replayedState?.deployers).to.deep.equal(['dora', 'dan']);

    // when
    for (const [index, event] of run.events.entries()) {
      if (event.private === null) continue;
      const { deployedBy: _deployedBy, leftDeployedBy: _leftDeployedBy, ...rest } = event.private;
      run.events[index] = { ...event, private: rest };
    }

    // then
    const stateFromOlderHistory = replayRun(run, (digest) => graphs.get(digest));
    expect(stateFromOlderHistory?.deployers).to.equal(undefined);
    expect(stateFromOlderHistory?.instances).to.deep.equal(replayedState?.instances);
  });
});
