import { randomUUID } from 'node:crypto';
import type { Approval, ApprovalComment, Client } from '@countersign/contract';
import { verifyEvidence } from '@countersign/model/evidence';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const PATCH = '--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-1\n+2\n';
const LINE = { pointer: '/inputs/patch', file: 'one.txt', side: 'after', number: 1, quote: '2' } as const;

describe('API: comments on an approval', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;
  let ada: Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    [viewer, operator, ada, admin] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
      countersign.client('approver', 'ada'),
      countersign.client('admin', 'root'),
    ]);
    await countersign.deploy(
      approvalModel(
        'simple',
        '',
        '<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.reworkStep" value="work" /></zeebe:properties></bpmn:extensionElements>',
      ),
    );
  });

  after(() => countersign.close());

  async function requestApproval(inputs: Record<string, unknown> = {}): Promise<Approval> {
    const { runId } = await operator.startRun({
      body: { workflowId: 'simple', inputs: { patch: PATCH, ...inputs } as Record<string, string> },
    });
    await countersign.jobs.complete('work', {});
    return waitForApproval(operator, runId);
  }

  const comment = (client: Client, { approvalId }: Pick<Approval, 'approvalId'>, text: string, more = {}) =>
    client.commentOnApproval({ approvalId, body: { text, ...more } });

  const listTexts = async ({ approvalId }: Pick<Approval, 'approvalId'>): Promise<(string | null)[]> =>
    (await viewer.listApprovalComments({ approvalId })).items.map(({ text }) => text);

  /** Requests changes, lets the step work again, and returns the next round. */
  async function requestNextRound(approval: Approval): Promise<Approval> {
    const { approvalId, runId } = approval;
    const { items } = await viewer.listRunEvents({ runId });
    await ada.decideApproval({ approvalId, body: { decision: 'request_changes', comment: 'Once more' } });
    await countersign.jobs.complete('work', {});
    return waitForApproval(viewer, runId, items.at(-1)?.seq);
  }

  it('should be answered by the requester in the same thread', async () => {
    // given
    const approval = await requestApproval();

    // when
    const question = await comment(ada, approval, 'Why 2?', { line: LINE });
    const answer = await comment(operator, approval, 'Because 1 is taken.', { replyTo: question.commentId });
    const thanks = await comment(ada, approval, 'Thank you.', { replyTo: answer.commentId });

    // then
    const common = { approvalId: approval.approvalId, round: 1, digest: approval.digest };
    expect(question).to.deep.include({ ...common, by: 'ada', text: 'Why 2?', line: LINE, replyTo: null });
    expect(answer).to.deep.include({ ...common, by: 'otto', line: null, replyTo: question.commentId });
    expect(thanks.replyTo).to.equal(question.commentId);
    expect((await viewer.listApprovalComments({ approvalId: approval.approvalId })).items).to.deep.equal([
      question,
      answer,
      thanks,
    ]);
  });

  it('should neither change what is approved nor who may decide it, and not count as progress of the run', async () => {
    // given
    const approval = await requestApproval();
    const runBefore = await viewer.getRun({ runId: approval.runId });

    // when
    await comment(ada, approval, 'Looks odd');

    // then
    const { canDecide, digest, votes } = await ada.getApproval({ approvalId: approval.approvalId });
    expect({ canDecide, digest, votes }).to.deep.equal({
      canDecide: { allowed: true, reasons: [] },
      digest: approval.digest,
      votes: [],
    });
    expect(await viewer.getRun({ runId: approval.runId })).to.deep.equal(runBefore);
  });

  it('should stay with the approval in the next round, and be counted in the inbox', async () => {
    // given
    const first = await requestApproval();
    const question = await comment(ada, first, 'In round 1');

    // when
    const second = await requestNextRound(first);
    const answer = await comment(operator, second, 'In round 2', { replyTo: question.commentId });

    // then
    expect(await listTexts(second)).to.deep.equal(['In round 1', 'In round 2']);
    expect(await listTexts(first)).to.deep.equal(['In round 1']);
    const listCounts = async (client: Client) =>
      (await client.listInbox({ runId: second.runId, status: 'all' })).items.map(({ comments }) => comments);
    const rowOfFirst = { count: 1, lastAt: question.at };
    const rowOfSecond = { count: 2, lastAt: answer.at };
    expect(await listCounts(ada)).to.deep.equal([
      { ...rowOfSecond, lastByOthersAt: answer.at },
      { ...rowOfFirst, lastByOthersAt: null },
    ]);
    expect(await listCounts(operator)).to.deep.equal([
      { ...rowOfSecond, lastByOthersAt: question.at },
      { ...rowOfFirst, lastByOthersAt: question.at },
    ]);
  });

  it('should not appear at another approval of the same run', async () => {
    const [first, other] = [await requestApproval(), await requestApproval()];
    const { commentId } = await comment(ada, first, 'Only here');

    expect(await listTexts(other)).to.deep.equal([]);
    expect((await ada.listInbox({ runId: other.runId })).items[0]?.comments).to.deep.equal({
      count: 0,
      lastAt: null,
      lastByOthersAt: null,
    });
    const problem = await expectProblem(comment(ada, other, 'Me too', { replyTo: commentId }));
    expect(problem.errors).to.deep.include.members([
      {
        pointer: '/replyTo',
        code: 'comment_not_found',
        message: 'This approval and its earlier rounds have no such comment.',
      },
    ]);
  });

  it('should be possible after the decision, also if it ended the run', async () => {
    const approval = await requestApproval();
    const { approvalId, runId } = approval;
    await ada.decideApproval({ approvalId, body: { decision: 'reject', comment: 'No' } });
    const { outcome, completedAt } = await viewer.getRun({ runId });
    expect(outcome).to.equal('rejected');

    await comment(operator, approval, 'Why?');

    expect(await listTexts(approval)).to.deep.equal(['Why?']);
    expect(await viewer.getRun({ runId })).to.deep.include({ outcome, completedAt, status: 'failed' });
  });

  it('should be recorded once if the request is repeated', async () => {
    const approval = await requestApproval();
    const options = { idempotencyKey: randomUUID() };
    const body = { text: 'Once' };
    const { approvalId } = approval;

    const comments: ApprovalComment[] = [];
    for (const _attempt of [1, 2]) comments.push(await ada.commentOnApproval({ approvalId, body }, options));

    expect(comments[1]).to.deep.equal(comments[0]);
    expect(await listTexts(approval)).to.deep.equal(['Once']);
  });

  it('should be evidence: a run event and an audit event of their author', async () => {
    const approval = await requestApproval();
    const { commentId } = await comment(ada, approval, 'On record', { line: LINE });

    const pack = await admin.getEvidencePack({ runId: approval.runId });
    expect(verifyEvidence(pack).problems).to.deep.equal([]);
    const event = pack.events.find(({ type }) => type === 'approval.commented');
    expect(event?.data).to.deep.include({
      approvalId: approval.approvalId,
      round: 1,
      commentId,
      digest: approval.digest,
    });
    expect(event?.private).to.deep.include({ text: 'On record', line: LINE });
    expect(pack.auditEvents.filter(({ action }) => action === 'approval.comment')).to.have.length(1);
  });

  it('should leave the states of the run computable, also after the comment was erased', async () => {
    // given
    const approval = await requestApproval();
    const { approvalId, runId } = approval;
    await comment(ada, approval, 'Ask Ada');
    await ada.decideApproval({ approvalId, body: { decision: 'approve' } });
    const { items } = await viewer.listRunEvents({ runId });
    const at = items.find(({ type }) => type === 'approval.commented')!.seq;
    const stateBefore = await viewer.getRunState({ runId, at: at + 1 });

    // when
    await admin.erasePersonalData({ runId, body: { reason: 'Request 7', person: 'ada' } });

    // then
    const [erased] = (await viewer.listApprovalComments({ approvalId })).items;
    expect(erased).to.include({ text: null, by: null, byName: null, line: null, round: 1 });
    expect((await viewer.getRunState({ runId, at })).steps).to.deep.equal(
      (await viewer.getRunState({ runId, at: at - 1 })).steps,
    );
    expect(stateBefore.steps).to.have.length.above(0);
    expect(verifyEvidence(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
  });

  it('should not be returned to a repeated request after it was erased, nor should a vote', async () => {
    // given
    const approval = await requestApproval();
    const { approvalId, runId } = approval;
    const options = { idempotencyKey: randomUUID() };
    const send = () => ada.commentOnApproval({ approvalId, body: { text: 'Ask Ada' } }, options);
    const vote = () => ada.decideApproval({ approvalId, body: { decision: 'approve' } }, options);
    await send();
    await vote();

    // when
    await admin.erasePersonalData({ runId, body: { reason: 'Request 8', person: 'ada' } });

    // then
    for (const repeat of [vote, send])
      expect(await expectProblem(repeat())).to.include({ status: 410, code: 'response_erased' });
    expect((await viewer.listApprovalComments({ approvalId })).items).to.have.length(1);
  });

  it('should be listed by pages, oldest first', async () => {
    const approval = await requestApproval();
    for (const text of ['a', 'b', 'c']) await comment(ada, approval, text);
    const { approvalId } = approval;

    const first = await viewer.listApprovalComments({ approvalId, limit: 2 });
    const second = await viewer.listApprovalComments({ approvalId, limit: 2, cursor: first.nextCursor! });

    expect([first, second].map(({ items }) => items.map(({ text }) => text))).to.deep.equal([['a', 'b'], ['c']]);
    expect(second.nextCursor).to.equal(null);
    const other = await requestApproval();
    expect(
      await expectProblem(
        viewer.listApprovalComments({ approvalId: other.approvalId, limit: 2, cursor: first.nextCursor! }),
      ),
    ).to.include({ code: 'invalid_cursor' });
  });

  it('should be about a line of a text, or of a value before and after a change', async () => {
    // given
    const approval = await requestApproval({
      note: 'one\ntwo',
      amount: 5,
      list: ['x'],
      change: { before: { rate: 1 }, after: { rate: 2 } },
      terms: { before: 'one', after: 'one\r\ntwo\nthree' },
      before: 'a',
      after: null,
    });
    const commentOn = (pointer: string, more = {}) =>
      comment(ada, approval, 'x', { line: { pointer, side: 'after', number: 1, quote: '', ...more } });
    const refuse = async (...args: Parameters<typeof commentOn>) => {
      const { code, errors = [] } = await expectProblem(commentOn(...args));
      return [code, ...errors.map((error) => `${error.pointer} ${error.code}`)];
    };

    // then
    for (const [pointer, more] of [
      ['/inputs/note', { number: 2 }],
      ['/inputs/change', { number: 3 }],
      ['/inputs/terms', { number: 3 }],
      ['/inputs/terms/before', {}],
      ['/inputs', { side: 'before' }],
      ['/inputs', {}],
      ['/inputs/list/0', {}],
      // The lines of a patch have the numbers of its files.
      ['/inputs/patch', { file: 'one.txt', number: 700 }],
      ['/inputs/patch', { number: 700 }],
    ] as const)
      expect((await commentOn(pointer, more)).line?.pointer, pointer).to.equal(pointer);
    for (const pointer of ['', '/inputs/amount', '/inputs/list', '/inputs/change/after', '/inputs/after', '/evidence'])
      expect(await refuse(pointer), pointer).to.deep.equal(['validation_failed', '/line/pointer not_a_text']);
    for (const [pointer, more] of [
      ['/inputs/note', { number: 3 }],
      ['/inputs/terms', { number: 4 }],
      ['/inputs/terms', { number: 2, side: 'before' }],
    ] as const)
      expect(await refuse(pointer, more), pointer).to.deep.equal(['validation_failed', '/line/number unknown']);
  });

  it('should be refused from viewers, without text, and about a line that the subject does not have', async () => {
    const approval = await requestApproval();
    const refuse = async (more: object, text = 'x') => {
      const { code, errors = [] } = await expectProblem(comment(ada, approval, text, more));
      return [code, ...errors.map(({ pointer }) => pointer)];
    };

    expect(await expectProblem(comment(viewer, approval, 'x'))).to.include({ code: 'forbidden' });
    expect(await refuse({}, '')).to.deep.equal(['validation_failed', '/text']);
    for (const pointer of ['/inputs/none', '/inputs/__proto__'])
      expect(await refuse({ line: { ...LINE, pointer } })).to.deep.equal(['validation_failed', '/line/pointer']);
    const { pointer: _pointer, ...line } = LINE;
    expect(await refuse({ line: { ...line, evidence: 'none.txt' } })).to.deep.equal([
      'validation_failed',
      '/line/evidence',
    ]);
    expect(await refuse({ line })).to.deep.equal(['validation_failed', '/line']);
    expect(await refuse({ line: LINE, replyTo: randomUUID() })).to.deep.equal(['validation_failed', '/line']);
    const unknown = { approvalId: randomUUID() };
    expect(await expectProblem(comment(ada, unknown, 'x'))).to.include({ code: 'approval_not_found' });
    expect(await expectProblem(viewer.listApprovalComments(unknown))).to.include({ code: 'approval_not_found' });
    expect(await listTexts(approval)).to.deep.equal([]);
  });
});
