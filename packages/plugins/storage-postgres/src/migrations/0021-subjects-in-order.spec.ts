import { expect } from 'chai';
import { createDatabaseBeforeMigration, type DatabaseBeforeMigration } from './migration.spec.support.js';

const RUN_ID = '019aa000-0000-7000-8000-000000000001';
const APPROVAL_ID = '019aa000-0000-7000-8000-000000000002';

describe('migration 0021-subjects-in-order', () => {
  let database: DatabaseBeforeMigration;

  beforeEach(async () => {
    database = await createDatabaseBeforeMigration('0021-subjects-in-order');
    await database.client.query(
      `INSERT INTO runs (run_id, workflow_id, workflow_version, workflow_digest, status, cancelling, current_step, pending_approvals,
         pending_questions, incidents, waiting_for, risk_level, started_at, started_by, updated_at, business_key, revision,
         state, last_event_hash, audit_seq, last_audit_hash)
       VALUES ($1, 'w', 1, 'd', 'blocked', false, 'ok', 1, 0, 0, '[]', 'low', now(), 'ada', now(), 'PO-7', 1, '{}', 'h', 0, 'h')`,
      [RUN_ID],
    );
    await insertApproval(APPROVAL_ID);
  });

  afterEach(() => database.drop());

  const insertApproval = (approvalId: string) =>
    database.client.query(
      `INSERT INTO approvals (approval_id, run_id, workflow_id, workflow_version, step_id, element_id, title, status, round,
         requested_at, requested_by, candidate_users, candidate_groups, delegations, quorum, priority, separation_of_duties,
         excluded, risk_level, risk_factors, rationale, subject, digest)
       VALUES ($1, $2, 'w', 1, $2, 'ok', 'Approve', 'pending', 1, now(), 'ada', '[]', '[]', '[]', 1, 50, 'on', '{}', 'low',
         '[]', '', $3::jsonb, 'd')`,
      [approvalId, RUN_ID, '{"kind": "user_task", "inputs": {"a": 1}}'],
    );

  it('should keep the subjects, add the business keys, and accept what a server of the previous version writes', async () => {
    // given
    const laterId = APPROVAL_ID.replace(/2$/, '3');

    // when
    await database.migrate();
    await insertApproval(laterId);

    // then
    const { rows } = await database.client.query(
      'SELECT approval_id, subject, business_key FROM approvals ORDER BY approval_id',
    );
    const subject = { kind: 'user_task', inputs: { a: 1 } };
    expect(rows).to.deep.equal([
      { approval_id: APPROVAL_ID, subject, business_key: 'PO-7' },
      { approval_id: laterId, subject, business_key: null },
    ]);
  });
});
