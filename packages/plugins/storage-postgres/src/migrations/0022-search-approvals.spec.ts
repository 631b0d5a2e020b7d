import { expect } from 'chai';
import { createDatabaseBeforeMigration, type DatabaseBeforeMigration } from './migration.spec.support.js';

const RUN_ID = '019aa000-0000-7000-8000-000000000001';
const APPROVAL_ID = '019aa000-0000-7000-8000-000000000002';

describe('migration 0022-search-approvals', () => {
  let database: DatabaseBeforeMigration;

  beforeEach(async () => {
    database = await createDatabaseBeforeMigration('0022-search-approvals');
    await insertApproval(APPROVAL_ID);
  });

  afterEach(() => database.drop());

  const insertApproval = (approvalId: string, note = '') =>
    database.client.query(
      `INSERT INTO approvals (approval_id, run_id, workflow_id, workflow_version, step_id, element_id, title, status, round,
         requested_at, requested_by, candidate_users, candidate_groups, delegations, quorum, priority, separation_of_duties,
         excluded, risk_level, risk_factors, rationale, subject, digest, business_key)
       VALUES ($1, $2, 'w', 1, $2, 'ok', 'Approve', 'pending', 1, now(), 'ada', '[]', '[]', '[]', 1, 50, 'on', '{}', 'low',
         '[]', '', $3::json, 'd', 'PO-7')`,
      [approvalId, RUN_ID, JSON.stringify({ kind: 'user_task', inputs: { supplier: 'ACME', note } })],
    );
  const findApprovals = async (text: string): Promise<unknown[]> =>
    (
      await database.client.query<{ approval_id: string }>(
        'SELECT approval_id FROM approvals WHERE search_text ILIKE $1 ORDER BY approval_id',
        [`%${text}%`],
      )
    ).rows.map(({ approval_id: id }) => id);

  it('should make existing approvals searchable, and accept what a server of the previous version writes', async () => {
    // given
    const [oddId, laterId] = [APPROVAL_ID.replace(/2$/, '3'), APPROVAL_ID.replace(/2$/, '4')];
    await insertApproval(oddId, 'NUL \u0000 and half a character \ud800');

    // when
    await database.migrate();
    await insertApproval(laterId);

    // then
    expect(await findApprovals('acme')).to.deep.equal([APPROVAL_ID]);
    expect(await findApprovals('po-7')).to.deep.equal([APPROVAL_ID]);
    const { rows } = await database.client.query('SELECT summary, outline FROM approvals');
    expect(rows).to.deep.equal(Array.from({ length: 3 }, () => ({ summary: null, outline: null })));
  });

  it('should clear what is searched if a server of the previous version erases personal data', async () => {
    // given
    await database.migrate();

    // when
    await database.client.query("UPDATE approvals SET requested_by = 'erased', subject = subject");

    // then
    expect(await findApprovals('')).to.deep.equal([]);
  });
});
