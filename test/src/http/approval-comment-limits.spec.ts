import { randomUUID } from 'node:crypto';
import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem, waitForApproval } from './http.spec.support.js';

describe('API: limits of the discussion of an approval', () => {
  let countersign: TestHost;
  let sql: pg.Client;
  let operator: Client;
  let ada: Client;
  let bob: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    sql = new pg.Client({ connectionString: countersign.database.connectionString });
    await sql.connect();
    [operator, ada, bob] = await Promise.all([
      countersign.client('operator', 'otto'),
      countersign.client('approver', 'ada'),
      countersign.client('approver', 'bob'),
    ]);
    await countersign.deploy(
      approvalModel(
        'simple',
        '',
        '<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.reworkStep" value="work" /></zeebe:properties></bpmn:extensionElements>',
      ),
    );
  });

  after(async () => {
    await sql?.end();
    await countersign.close();
  });

  async function requestApproval(): Promise<Approval> {
    const { runId } = await operator.startRun({ body: { workflowId: 'simple', inputs: { note: 'z' } } });
    await countersign.jobs.complete('work', {});
    return waitForApproval(operator, runId);
  }

  /** Requests changes, lets the step work again, and returns the next round. */
  async function requestNextRound({ approvalId, runId }: Approval): Promise<Approval> {
    const { items } = await operator.listRunEvents({ runId });
    await ada.decideApproval({ approvalId, body: { decision: 'request_changes', comment: 'Once more' } });
    await countersign.jobs.complete('work', {});
    return waitForApproval(operator, runId, items.at(-1)?.seq);
  }

  const comment = (client: Client, { approvalId }: Approval, text = 'x', options = {}) =>
    client.commentOnApproval({ approvalId, body: { text } }, options);

  /** Adds copies of a comment by a number of other authors to its approval. */
  async function addCopies(commentId: string, { authors, each }: { authors: number; each: number }): Promise<void> {
    await sql.query(
      `INSERT INTO run_events (run_id, seq, at, type, step_id, element_id, data, private, salt, commitment, hash)
       SELECT run_id, 1000000 * author + 1000 * seq + n, at, type, step_id, element_id, data,
         jsonb_set(private, '{actor,id}', to_jsonb('author ' || author)), salt, commitment, hash
       FROM run_events, generate_series(1, $2::int) author, generate_series(1, $3::int) n
       WHERE data ->> 'commentId' = $1`,
      [commentId, authors, each],
    );
  }

  it('should be 1,000 comments on all rounds together, whichever round they are added to', async () => {
    // given: 999 comments on the first round, one of them by Ada
    const first = await requestApproval();
    const { commentId } = await comment(ada, first);
    const second = await requestNextRound(first);
    await addCopies(commentId, { authors: 2, each: 499 });
    expect((await comment(bob, second)).round).to.equal(2);

    // when
    const problems = [await expectProblem(comment(bob, first)), await expectProblem(comment(bob, second))];

    // then
    for (const problem of problems) expect(problem).to.include({ status: 409, code: 'too_many_comments' });
    expect(problems[0]?.detail).to.include('1,000');
  });

  it('should count comments on a later round for an earlier one', async () => {
    const first = await requestApproval();
    const second = await requestNextRound(first);
    const { commentId } = await comment(ada, second);
    await addCopies(commentId, { authors: 1, each: 999 });

    expect(await expectProblem(comment(bob, first))).to.include({ code: 'too_many_comments' });
  });

  it('should be 200 comments per author, so that nobody silences the others', async () => {
    const approval = await requestApproval();
    const { commentId } = await comment(ada, approval);
    await addCopies(commentId, { authors: 1, each: 300 });
    await sql.query(
      `INSERT INTO run_events (run_id, seq, at, type, step_id, element_id, data, private, salt, commitment, hash)
       SELECT run_id, 10000000 + n, at, type, step_id, element_id, data, private, salt, commitment, hash
       FROM run_events, generate_series(1, 199) n WHERE data ->> 'commentId' = $1 AND private #>> '{actor,id}' = 'ada'`,
      [commentId],
    );

    expect(await expectProblem(comment(ada, approval))).to.include({ status: 409, code: 'too_many_own_comments' });
    expect((await comment(bob, approval)).by).to.equal('bob');
  });

  it('should be 200,000 characters per author, and a million together, with the quoted lines', async () => {
    // given: 20 comments of 10,000 characters by each of four authors
    const approval = await requestApproval();
    const text = 'y'.repeat(10_000);
    const { commentId } = await comment(ada, approval, text);
    await addCopies(commentId, { authors: 4, each: 20 });
    for (let count = 1; count < 19; count += 1) await comment(ada, approval, text);
    await comment(ada, approval, text.slice(1));

    // when
    const own = await expectProblem(
      ada.commentOnApproval({
        approvalId: approval.approvalId,
        body: { text: 'y', line: { pointer: '/inputs/note', side: 'after', number: 1, quote: 'z' } },
      }),
    );
    const last = await comment(ada, approval, 'y');
    const all = await expectProblem(comment(bob, approval, 'y'));

    // then
    expect(own).to.include({ status: 409, code: 'too_many_own_comments' });
    expect(last.text).to.equal('y');
    expect(all).to.include({ status: 409, code: 'discussion_too_long' });
  });

  it('should not apply to the repeat of a recorded request', async () => {
    // given
    const approval = await requestApproval();
    const options = { idempotencyKey: randomUUID() };
    const recorded = await comment(ada, approval, 'x', options);
    await addCopies(recorded.commentId, { authors: 1, each: 999 });
    expect(await expectProblem(comment(ada, approval))).to.include({ code: 'too_many_comments' });

    // when
    const repeated = await comment(ada, approval, 'x', options);

    // then
    expect(repeated).to.deep.equal(recorded);
    expect(await expectProblem(comment(ada, approval, 'other', options))).to.include({
      code: 'idempotency_key_reused',
    });
  });
});
