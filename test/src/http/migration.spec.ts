import type { Client, MigrationPlan } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const userTaskXml = (id: string, name: string): string => `<bpmn:userTask id="${id}" name="${name}"></bpmn:userTask>`;
const STARTED_ELEMENTS = `<bpmn:startEvent id="start" />${serviceTask('work', 'work', 1)}`;
const END_EVENT = '<bpmn:endEvent id="end" />';
const LATE_TIMER =
  '<bpmn:boundaryEvent id="late" attachedToRef="check"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT9H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>';

/** Returns version 1: start > work > ok > end. */
const firstVersion = (id: string): string =>
  processModel(
    id,
    STARTED_ELEMENTS + userTaskXml('ok', 'Approve it') + END_EVENT,
    'start > work',
    'work > ok',
    'ok > end',
  );
/** Returns version 2: start > work > check (at most nine hours) > publish > end. */
const secondVersion = (id: string): string =>
  processModel(
    id,
    STARTED_ELEMENTS + userTaskXml('check', 'Check it') + LATE_TIMER + serviceTask('publish', 'publish') + END_EVENT,
    'start > work',
    'work > check',
    'check > publish',
    'publish > end',
    'late > end',
  );
/** Returns version 3: start > work (as a job of another type) > ok > end. */
const thirdVersion = (id: string): string =>
  processModel(
    id,
    STARTED_ELEMENTS.replace('type="work"', 'type="other"') + userTaskXml('ok', 'Approve it') + END_EVENT,
    'start > work',
    'work > ok',
    'ok > end',
  );

describe('API: migration of a run to another version', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let viewer: Client;
  let operator: Client;

  before(async () => {
    firstServer = await createTestHost({ jobTypes: ['work', 'publish'] });
    secondServer = await createTestHost({ shareDataWith: firstServer });
    viewer = await firstServer.client('viewer', 'vera');
    operator = await firstServer.client('operator', 'otto');
  });

  after(async () => {
    await secondServer.close();
    await firstServer.close();
  });

  async function deployVersions(id: string): Promise<void> {
    for (const model of [firstVersion(id), secondVersion(id), thirdVersion(id)]) await firstServer.deploy(model);
  }

  /** Starts a run of version 1 and returns its approval. */
  async function startRunWithApproval(id: string): Promise<{ runId: string; approvalId: string }> {
    const { runId } = await viewer.startRun({ body: { workflowId: id, version: 1, inputs: { amount: 3 } } });
    await firstServer.jobs.complete('work');
    const { approvalId } = await waitForApproval(viewer, runId);
    return { runId, approvalId };
  }

  it('should return a plan without changes, then migrate the run and complete it on the new version', async () => {
    // given
    await deployVersions('moved');
    const { runId, approvalId } = await startRunWithApproval('moved');
    const body = { version: 2, mapping: { ok: 'check' }, comment: 'version 1 forgets to publish' };
    const [runBefore, history] = [await viewer.getRun({ runId }), await viewer.listRunEvents({ runId })];

    // when
    const plan: MigrationPlan = await operator.migrateRun({ runId, dryRun: true, body });

    // then
    expect(plan).to.deep.include({ dryRun: true, operation: 'migrate', runId, status: 'blocked', refusals: [] });
    expect([plan.from.version, plan.from.digest, plan.to.version]).to.deep.equal([1, runBefore.workflowDigest, 2]);
    expect(plan.moves).to.deep.equal([{ from: 'ok', to: 'check' }]);
    expect([plan.opened, plan.closed]).to.deep.equal([[{ elementId: 'late', kind: 'timer' }], []]);
    expect(plan.askedAgain).to.deep.equal(runBefore.waitingFor);
    expect(plan.notes.join(' ')).to.contain('map to themselves').and.contain('requested again');
    expect(await viewer.getRun({ runId })).to.deep.equal(runBefore);
    expect(await viewer.listRunEvents({ runId })).to.deep.equal(history);

    // when the plan is executed
    const migratedRun = await operator.migrateRun({ runId, body });

    // then both servers return the run on the new version, with a new round of the approval
    expect(migratedRun).to.include({
      workflowVersion: 2,
      workflowDigest: plan.to.digest,
      status: 'blocked',
      currentStep: 'check',
    });
    const runOnSecondServer = await (await secondServer.client('viewer')).getRun({ runId });
    expect(runOnSecondServer).to.deep.include({
      workflowVersion: 2,
      workflowDigest: plan.to.digest,
      variables: runBefore.variables,
    });
    expect(runOnSecondServer.steps.at(-1)).to.include({ elementId: 'check', name: 'Check it', status: 'waiting' });
    expect(
      (await viewer.listRuns({ workflowId: 'moved', workflowVersion: 2 })).items.map((run) => run.runId),
    ).to.deep.equal([runId]);
    const ada = await secondServer.client('approver', 'ada');
    expect(await ada.getApproval({ approvalId })).to.include({ status: 'withdrawn' });
    const approvalWait = runOnSecondServer.waitingFor.find((wait) => wait.kind === 'approval');
    if (approvalWait === undefined) throw new Error('the run has no pending approval');
    const nextApproval = await ada.getApproval({ approvalId: approvalWait.approvalId });
    expect(nextApproval).to.deep.include({ round: 2, elementId: 'check', workflowVersion: 2 });
    expect(nextApproval.subject.definition).to.deep.equal({
      workflowId: 'moved',
      workflowVersion: 2,
      digest: plan.to.digest,
    });

    // when the operator who migrated the run votes, and then another user
    const otto = await firstServer.client('approver', 'otto');
    expect(
      await expectProblem(otto.decideApproval({ approvalId: nextApproval.approvalId, body: { decision: 'approve' } })),
    ).to.include({ code: 'self_approval' });
    await ada.decideApproval({
      approvalId: nextApproval.approvalId,
      body: { decision: 'approve', expectedDigest: nextApproval.digest },
    });
    await firstServer.jobs.complete('publish');
    for await (const event of viewer.streamRunEvents({ runId })) expect(event.seq).to.be.above(0);

    // then
    const endedRun = await viewer.getRun({ runId });
    expect(endedRun).to.include({ outcome: 'completed', workflowVersion: 2 });
    expect(endedRun.steps.map((step) => step.elementId)).to.deep.equal(['start', 'work', 'check', 'publish', 'end']);
    const pack = await viewer.getEvidencePack({ runId });
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect(pack.earlierVersions.map(({ version, bpmnXml }) => [version, bpmnXml])).to.deep.equal([
      [1, firstVersion('moved')],
    ]);
    expect(pack.auditEvents.find((entry) => entry.action === 'run.migrate')).to.deep.nested.include({
      'result': 'ok',
      'private.actor.id': 'otto',
    });
    const event = pack.events.find((each) => each.type === 'run.migrated');
    expect(event?.data).to.deep.include({
      fromVersion: 1,
      fromDigest: runBefore.workflowDigest,
      toVersion: 2,
      toDigest: plan.to.digest,
      mapping: { ok: 'check' },
    });
    expect(event?.private).to.deep.include({ comment: 'version 1 forgets to publish' });

    // and a pack with a missing, changed or swapped version fails verification
    const packWithoutVersion = structuredClone(pack);
    packWithoutVersion.earlierVersions = [];
    const packWithChangedVersion = structuredClone(pack);
    packWithChangedVersion.earlierVersions[0]!.bpmnXml += ' ';
    const packWithSwappedVersions = { ...pack, workflow: pack.earlierVersions[0]!, earlierVersions: [pack.workflow] };
    for (const copy of [packWithoutVersion, packWithChangedVersion, packWithSwappedVersions])
      expect(findPackErrors(copy)).to.not.be.empty;
  });

  it('should let another server continue a run that it has cached on the old version', async () => {
    // given: a run that the other server has cached on the old version
    await deployVersions('shared');
    const { runId } = await startRunWithApproval('shared');
    await (
      await secondServer.client('operator', 'olga')
    ).uploadArtifact({ runId, artifactName: 'notes.txt', body: 'hello', contentType: 'text/plain' });

    // when
    await operator.migrateRun({ runId, body: { version: 2, mapping: { ok: 'check' } } });
    const { waitingFor } = await viewer.getRun({ runId });
    const approvalWait = waitingFor.find((wait) => wait.kind === 'approval');
    await (
      await secondServer.client('approver', 'ada')
    ).decideApproval({ approvalId: approvalWait?.approvalId ?? '', body: { decision: 'approve' } });

    // then
    await firstServer.jobs.complete('publish');
    for await (const event of viewer.streamRunEvents({ runId })) expect(event.seq).to.be.above(0);
    expect((await viewer.getRun({ runId })).outcome).to.equal('completed');
    expect(findPackErrors(await viewer.getEvidencePack({ runId }))).to.deep.equal([]);
  });

  it('should keep a job in progress and accept its result on the new version', async () => {
    await deployVersions('busy');
    const { runId } = await viewer.startRun({ body: { workflowId: 'busy', version: 1 } });
    const heldJob = await firstServer.jobs.take('work');
    expect(await operator.migrateRun({ runId, body: { version: 2 } })).to.include({
      status: 'active',
      workflowVersion: 2,
    });
    heldJob.complete({ text: 'done' });
    expect(await waitForApproval(viewer, runId)).to.include({ elementId: 'check', round: 1 });
    expect((await viewer.getRun({ runId })).variables).to.deep.equal({ text: 'done' });
  });

  it('should migrate a run with a failed step and recover the step on the new version', async () => {
    await deployVersions('broken');
    const { runId } = await viewer.startRun({ body: { workflowId: 'broken', version: 1 } });
    (await firstServer.jobs.take('work')).fail(new Error('no'));
    for await (const event of viewer.streamRunEvents({ runId })) if (event.type === 'step.failed') break;
    expect(await operator.migrateRun({ runId, body: { version: 2 } })).to.include({
      status: 'failed',
      recoverable: true,
    });
    await operator.recoverRun({ runId });
    await firstServer.jobs.complete('work');
    expect(await waitForApproval(viewer, runId)).to.include({ elementId: 'check' });
  });

  it('should offer an unclaimed job as the target version defines it, and refuse to change a claimed job', async () => {
    // given: a run whose job is unclaimed, and a run whose job is claimed
    await deployVersions('unserved');
    const { runId } = await viewer.startRun({ body: { workflowId: 'unserved', version: 3 } });
    const busyRun = await viewer.startRun({ body: { workflowId: 'unserved', version: 1 } });
    const heldJob = await firstServer.jobs.take('work');

    // when
    const plan = await operator.migrateRun({ runId, dryRun: true, body: { version: 2 } });
    const migratedRun = await operator.migrateRun({ runId, body: { version: 2 } });
    const refusal = await expectProblem(operator.migrateRun({ runId: busyRun.runId, body: { version: 3 } }));

    // then
    expect(plan).to.deep.include({ refusals: [], restarted: ['work'] });
    expect(migratedRun).to.include({ status: 'active', workflowVersion: 2 });
    await firstServer.jobs.complete('work');
    expect(await waitForApproval(viewer, runId)).to.include({ elementId: 'check', round: 1 });
    expect(refusal).to.include({ status: 409, code: 'migration_refused' });
    expect(refusal.errors.map(({ pointer, code }) => [pointer, code])).to.deep.equal([['work', 'job_in_progress']]);
    heldJob.complete();
    expect(await waitForApproval(viewer, busyRun.runId)).to.include({ elementId: 'ok', workflowVersion: 1 });
  });

  it('should continue immediately when a condition of the target version is already true', async () => {
    // given
    await deployVersions('eager');
    const { runId } = await startRunWithApproval('eager');
    const condition =
      '<bpmn:boundaryEvent id="late" attachedToRef="check"><bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=amount &gt; 2</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:boundaryEvent>';
    await firstServer.deploy(
      secondVersion('eager')
        .replace(LATE_TIMER, condition)
        .replace('sourceRef="late" targetRef="end"', 'sourceRef="late" targetRef="publish"'),
    );

    // when
    await operator.migrateRun({ runId, body: { version: 4, mapping: { ok: 'check' } } });

    // then this server executes the job of the target version
    await firstServer.jobs.complete('publish');
    for await (const event of viewer.streamRunEvents({ runId })) expect(event.seq).to.be.above(0);
    expect(await viewer.getRun({ runId })).to.include({ outcome: 'completed', pendingApprovals: 0 });
    expect(findPackErrors(await viewer.getEvidencePack({ runId }))).to.deep.equal([]);
  });

  it('should refuse an impossible migration with all reasons, also in a dry run, and change nothing', async () => {
    // given
    await deployVersions('stays');
    const { runId } = await startRunWithApproval('stays');
    const body = { version: 2, mapping: { nobody: 'check', work: 'nowhere' } };
    const runBefore = await viewer.getRun({ runId });

    // when
    const plan = await operator.migrateRun({ runId, dryRun: true, body });
    const problem = await expectProblem(operator.migrateRun({ runId, body }));

    // then
    const reasons = [
      ['mapping_source_unknown', 'nobody'],
      ['mapping_target_unknown', 'work'],
      ['element_not_mapped', 'ok'],
    ];
    expect(plan.refusals.map(({ code, elementId }) => [code, elementId])).to.deep.equal(reasons);
    expect(plan.refusals.every(({ reason }) => reason.length > 10)).to.equal(true);
    expect(problem).to.include({ status: 409, code: 'migration_refused' });
    expect(problem.errors.map(({ pointer, code }) => [code, pointer])).to.deep.equal(reasons);
    expect(await viewer.getRun({ runId })).to.deep.equal(runBefore);
    const { items } = await operator.listAuditEvents({ runId });
    expect(items.map(({ action, result }) => [action, result])).to.deep.include(['run.migrate', 'refused']);
  });

  it('should accept only one of two concurrent migrations on two servers', async () => {
    await deployVersions('raced');
    const { runId } = await startRunWithApproval('raced');
    const operators = [operator, await secondServer.client('operator', 'olga')];
    const results = await Promise.allSettled(
      operators.map((client) => client.migrateRun({ runId, body: { version: 2, mapping: { ok: 'check' } } })),
    );
    expect(results.map((result) => result.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const { items } = await viewer.listRunEvents({ runId });
    expect(items.filter((event) => event.type === 'run.migrated')).to.have.length(1);
  });

  it('should refuse viewers, ended runs, unknown runs, and unknown or unchanged versions', async () => {
    // given
    await deployVersions('ended');
    const { runId } = await startRunWithApproval('ended');
    const body = { version: 2 };

    // then
    expect(await expectProblem(viewer.migrateRun({ runId, body }))).to.include({ status: 403, code: 'forbidden' });
    expect(await expectProblem(operator.migrateRun({ runId, body: { version: 9 } }))).to.include({
      status: 404,
      code: 'workflow_version_not_found',
    });
    expect(await expectProblem(operator.migrateRun({ runId, dryRun: true, body: { version: 9 } }))).to.include({
      status: 404,
      code: 'workflow_version_not_found',
    });
    expect(await expectProblem(operator.migrateRun({ runId, body: { version: 1 } }))).to.deep.nested.include({
      'code': 'migration_refused',
      'errors[0].code': 'version_unchanged',
    });
    const missingRunId = '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77';
    expect(await expectProblem(operator.migrateRun({ runId: missingRunId, body }))).to.include({
      status: 404,
      code: 'run_not_found',
    });
    await operator.cancelRun({ runId, body: { reason: 'no longer needed' } });
    for (const dryRun of [true, false]) {
      const call = dryRun ? operator.migrateRun({ runId, dryRun, body }) : operator.migrateRun({ runId, body });
      expect(await expectProblem(call)).to.include({ status: 409, code: 'run_already_ended' });
    }
  });
});
