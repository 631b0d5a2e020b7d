import { randomUUID } from 'node:crypto';
import type { Approval, Problem } from '@countersign/contract';
import { approvalModel, createTestHost, currentTime, isoTimeIn, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from './http.spec.support.js';

describe('API: repeated requests', () => {
  let countersign: TestHost;
  let clockOffsetMs = 0;

  before(async () => {
    const clock = { now: () => currentTime() + clockOffsetMs };
    countersign = await createTestHost({ jobTypes: ['work'], clock });
    await countersign.deploy(approvalModel('simple'));
  });

  after(() => countersign.close());

  async function createApproval(): Promise<Approval> {
    const viewer = await countersign.client('viewer', 'vera');
    const { runId } = await viewer.startRun({ body: { workflowId: 'simple', inputs: { amount: 3 } } });
    await countersign.jobs.complete('work', { draft: 'one' });
    return waitForApproval(viewer, runId);
  }

  async function decide(approvalId: string, key: string, body: object): Promise<Response> {
    return fetch(`${countersign.url}/api/approvals/${approvalId}/decision`, {
      method: 'POST',
      headers: {
        'authorization': `Bearer ${await countersign.token('approver', { subject: 'ada' })}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });
  }

  const readErrorCode = async (response: Response): Promise<string> => ((await response.json()) as Problem).code;

  it('should return the first response to a repeated vote after the run has ended, and record nothing more', async () => {
    // given
    const { approvalId, runId } = await createApproval();
    const key = randomUUID();
    const firstResponse = await decide(approvalId, key, { decision: 'approve' });
    const operator = await countersign.client('operator', 'otto');
    expect(await operator.getRun({ runId })).to.include({ outcome: 'completed' });
    const eventCount = (await operator.listRunEvents({ runId })).items.length;
    const auditEventCount = (await operator.listAuditEvents({ runId })).items.length;

    // when
    const repeatedResponse = await decide(approvalId, key, { decision: 'approve' });

    // then
    expect([firstResponse.status, firstResponse.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
    expect([repeatedResponse.status, repeatedResponse.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
    expect(((await repeatedResponse.json()) as Approval).votes).to.deep.equal(
      ((await firstResponse.json()) as Approval).votes,
    );
    expect((await operator.listRunEvents({ runId })).items).to.have.length(eventCount);
    expect((await operator.listAuditEvents({ runId })).items).to.have.length(auditEventCount);
  });

  it('should return the first response to a repeated delegation, also after it has ended or the run has', async () => {
    // given
    const { approvalId, runId } = await createApproval();
    const [ada, dora] = await Promise.all(['ada', 'dora'].map((name) => countersign.client('approver', name)));
    const options = { idempotencyKey: randomUUID() };
    const body = { to: 'dora', until: isoTimeIn(20_000), allowUnknown: true };
    const delegate = () => ada!.delegateApproval({ approvalId, body }, options);
    const first = await delegate();
    await dora!.decideApproval({ approvalId, body: { decision: 'approve' } });

    // when
    const repeated = await delegate();

    // then
    expect(repeated).to.deep.equal(first);
    const events = (await ada!.listRunEvents({ runId })).items;
    expect(events.filter(({ type }) => type === 'approval.delegated')).to.have.length(1);
    expect(await expectProblem(ada!.delegateApproval({ approvalId, body: { to: 'eve' } }, options))).to.include({
      code: 'idempotency_key_reused',
    });
    // A repeat whose end has passed gets the response, too.
    clockOffsetMs = 30_000;
    expect(await delegate()).to.deep.equal(first);
  });

  it('should return the first response to a repeated reassignment, and record nothing more', async () => {
    // given
    const { approvalId, runId } = await createApproval();
    const admin = await countersign.client('admin', 'root');
    const options = { idempotencyKey: randomUUID() };
    const reassign = (user: string, more = {}) =>
      admin.reassignApproval({ approvalId, body: { candidateUsers: [user], allowUnknown: true } }, more);
    const first = await reassign('dora', options);
    const second = await reassign('eve');
    expect(second.candidateUsers).to.deep.equal(['eve']);

    // when
    const repeated = await reassign('dora', options);

    // then
    expect(repeated).to.deep.equal(first);
    const { candidateUsers } = await admin.getApproval({ approvalId });
    expect(candidateUsers).to.deep.equal(['eve']);
    const events = (await admin.listRunEvents({ runId })).items;
    expect(events.filter(({ type }) => type === 'approval.reassigned')).to.have.length(2);
    expect(await expectProblem(reassign('fay', options))).to.include({ code: 'idempotency_key_reused' });
  });

  it('should tell apart repeated delegations and reassignments by whether they allow unknown users', async () => {
    // given
    const { approvalId } = await createApproval();
    const [ada, admin] = [await countersign.client('approver', 'ada'), await countersign.client('admin', 'root')];
    const keys = { idempotencyKey: randomUUID() };
    const reassignKeys = { idempotencyKey: randomUUID() };
    const delegate = (more = {}) => ada.delegateApproval({ approvalId, body: { to: 'dora', ...more } }, keys);
    const reassign = (more = {}) =>
      admin.reassignApproval({ approvalId, body: { candidateUsers: ['eve'], ...more } }, reassignKeys);
    const delegated = await delegate({ allowUnknown: true });
    const reassigned = await reassign({ allowUnknown: true });

    for (const other of [{}, { allowUnknown: false }]) {
      // when
      const problems = [await expectProblem(delegate(other)), await expectProblem(reassign(other))];

      // then
      expect(problems.map(({ code }) => code)).to.deep.equal(['idempotency_key_reused', 'idempotency_key_reused']);
    }
    expect(await delegate({ allowUnknown: true })).to.deep.equal(delegated);
    expect(await reassign({ allowUnknown: true })).to.deep.equal(reassigned);
  });

  it('should report a reused idempotency key before any other refusal', async () => {
    // given
    const { approvalId } = await createApproval();
    const key = randomUUID();
    await decide(approvalId, key, { decision: 'approve' });

    // when
    const otherDecisionResponse = await decide(approvalId, key, { decision: 'reject' });
    const otherApprovalResponse = await decide(randomUUID(), key, { decision: 'approve' });

    // then
    expect([otherDecisionResponse.status, await readErrorCode(otherDecisionResponse)]).to.deep.equal([
      422,
      'idempotency_key_reused',
    ]);
    expect([otherApprovalResponse.status, await readErrorCode(otherApprovalResponse)]).to.deep.equal([
      422,
      'idempotency_key_reused',
    ]);
  });

  it('should evaluate a refused request again each time, without reserving its idempotency key', async () => {
    // given
    const { approvalId } = await createApproval();
    await decide(approvalId, randomUUID(), { decision: 'approve' });
    const key = randomUUID();

    for (const _attempt of [1, 2]) {
      // when
      const lateResponse = await decide(approvalId, key, { decision: 'reject' });

      // then
      expect([lateResponse.status, await readErrorCode(lateResponse)]).to.deep.equal([
        409,
        'approval_already_resolved',
      ]);
    }
    expect(await readErrorCode(await decide(randomUUID(), key, { decision: 'approve' }))).to.equal(
      'approval_not_found',
    );
  });
});
