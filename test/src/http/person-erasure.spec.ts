import { createClient, type Client, type PersonErasure } from '@countersign/contract';
import { verifyEvidence } from '@countersign/model/evidence';
import { approvalModel, createTestHost, signInApprovers, type TestHost, isoTimeIn } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const ERASURE_BODY = { person: 'bea', reason: 'Request 118' };

describe('API: erasure of a person', () => {
  let countersign: TestHost;
  let sql: pg.Client;
  let admin: Client;
  let viewer: Client;

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    sql = new pg.Client({ connectionString: countersign.database.connectionString });
    await sql.connect();
    [admin, viewer] = await Promise.all([countersign.client('admin', 'root'), countersign.client('viewer', 'vera')]);
    await countersign.deploy(approvalModel('simple'));
  });

  afterEach(async () => {
    await sql.end();
    await countersign.close();
  });

  async function startRunWithApproval(): Promise<{ runId: string; approvalId: string }> {
    const { runId } = await viewer.startRun({ body: { workflowId: 'simple', inputs: { note: 'for bea' } } });
    await countersign.jobs.complete('work');
    const { approvalId } = await waitForApproval(viewer, runId);
    return { runId, approvalId };
  }

  async function startAndCompleteRun(): Promise<string> {
    const { runId, approvalId } = await startRunWithApproval();
    await (await countersign.client('approver', 'bea')).decideApproval({ approvalId, body: { decision: 'approve' } });
    return runId;
  }

  /** Returns the tables and columns that contain a name. */
  async function findOccurrences(name: string): Promise<string[]> {
    const { rows } = await sql.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = current_schema() AND data_type IN ('text', 'json', 'jsonb') AND table_name <> 'idempotency_keys' ORDER BY 1, 2`,
    );
    const found: string[] = [];
    for (const { table, column } of rows) {
      const { rowCount } = await sql.query(`SELECT FROM "${table}" WHERE "${column}"::text ~* $1`, [`\\m${name}\\M`]);
      if (rowCount !== 0) found.push(`${table}.${column}`);
    }
    return found;
  }

  async function eraseAll(body: { person: string; reason: string } = ERASURE_BODY): Promise<PersonErasure[]> {
    const parts: PersonErasure[] = [];
    for (let cursor: string | null | undefined; cursor !== null; cursor = parts.at(-1)?.nextCursor ?? null)
      parts.push(await admin.erasePerson({ body: { ...body, ...(cursor === undefined ? {} : { cursor }) } }));
    return parts;
  }

  it('should remove the name of the person everywhere once their runs have ended, and keep the evidence verifiable', async () => {
    // given: votes, an absence, substitutes, a deployment and refusals of the person
    const runIds = [await startAndCompleteRun(), await startAndCompleteRun()].sort();
    const bea = await countersign.client('admin', 'bea');
    await signInApprovers(countersign, 'dan');
    await bea.deployWorkflow({ body: approvalModel('theirs') });
    await bea.setMyAbsence({ body: { until: isoTimeIn(3_600_000), substitute: 'dan' } });
    await admin.setAbsence({
      subject: 'eli',
      body: { until: isoTimeIn(3_600_000), substitute: 'bea' },
    });
    expect(await expectProblem((await countersign.client('viewer', 'bea')).getSettings())).to.include({
      code: 'forbidden',
    });
    const { runId: otherRunId } = await viewer.startRun({ body: { workflowId: 'theirs' } });
    await (
      await countersign.client('operator', 'otto')
    ).cancelRun({ runId: otherRunId, body: { reason: 'not wanted' } });
    const [plan, dataBefore] = [
      await admin.erasePerson({ body: ERASURE_BODY, dryRun: true }),
      await findOccurrences('bea'),
    ];
    expect(dataBefore).to.include.members([
      'absences.subject',
      'absences.substitute',
      'audit_events.actor',
      'principals.principal_id',
      'run_events.private',
      'runs.state',
      'votes.voted_by',
      'workflow_versions.deployed_by',
    ]);

    // when
    const [erased] = await eraseAll();

    // then
    expect(await findOccurrences('bea')).to.deep.equal([]);
    expect(erased?.runs.map(({ status }) => status)).to.deep.equal(['erased', 'erased', 'erased']);
    expect(erased?.runs.map(({ runId }) => runId)).to.deep.equal([...runIds, otherRunId].sort());
    expect(plan).to.deep.equal({
      ...erased,
      dryRun: true,
      runs: erased?.runs.map((run) => ({ ...run, status: 'planned' })),
    });
    for (const runId of [...runIds, otherRunId])
      expect(verifyEvidence(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
    const trail = await admin.exportAuditTrail();
    expect(verifyEvidence(trail).problems).to.deep.equal([]);
    expect(trail.notCovered.find(({ code }) => code === 'audit_private_part_erased')?.events).to.deep.equal(
      erased?.serverAuditEvents,
    );
    // and a workflow that the person deployed still starts runs
    await viewer.startRun({ body: { workflowId: 'theirs' } });
    expect((await admin.getWorkflow({ workflowId: 'theirs' })).versions[0]?.deployedBy).to.equal('[erased]');
  });

  it('should remove the name of a person who deployed a version that a run has migrated from', async () => {
    await (await countersign.client('admin', 'bea')).deployWorkflow({ body: approvalModel('moved') });
    const { runId } = await viewer.startRun({ body: { workflowId: 'moved' } });
    await admin.deployWorkflow({
      body: approvalModel('moved', '', '<bpmn:documentation>Now documented.</bpmn:documentation>'),
    });
    const operator = await countersign.client('operator', 'otto');
    await operator.migrateRun({ runId, body: { version: 2 } });
    await operator.cancelRun({ runId, body: { reason: 'not wanted' } });

    await eraseAll();

    expect(await findOccurrences('bea')).to.deep.equal([]);
    expect(verifyEvidence(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
  });

  it('should remove the user names of a person, even from data that names the person only by user name', async () => {
    // given: Bea as a substitute, a delegate and a candidate, by her user name in different cases
    const createClientFor = async (subject: string, userName: string) =>
      createClient({ baseUrl: countersign.url, token: await countersign.token('approver', { subject, userName }) });
    const bea = await createClientFor('u-bea', 'bea@example.com');
    await bea.getMe();
    await admin.setAbsence({ subject: 'eli', body: { until: isoTimeIn(3_600_000), substitute: 'BEA@example.com' } });
    const { runId: endedRunId, approvalId } = await startRunWithApproval();
    await (
      await countersign.client('approver', 'dan')
    ).delegateApproval({ approvalId, body: { to: 'Bea@example.com' } });
    await (await countersign.client('approver', 'eli')).decideApproval({ approvalId, body: { decision: 'approve' } });
    const { runId, approvalId: pendingApprovalId } = await startRunWithApproval();
    await admin.reassignApproval({ approvalId: pendingApprovalId, body: { candidateUsers: ['bea@EXAMPLE.com'] } });
    const erase = () => eraseAll({ person: 'u-bea', reason: 'Request 118' });

    // when
    const [first] = await erase();

    // then
    expect(first?.runs).to.have.deep.members([
      { runId: endedRunId, status: 'erased' },
      { runId, status: 'not_ended' },
    ]);
    await (await countersign.client('operator', 'otto')).cancelRun({ runId, body: { reason: 'not wanted' } });
    expect((await erase()).flatMap(({ runs }) => runs)).to.deep.equal([{ runId, status: 'erased' }]);
    expect(await findOccurrences('bea@example.com')).to.deep.equal([]);
    expect(await findOccurrences('u-bea')).to.deep.equal([]);
    for (const each of [endedRunId, runId])
      expect(verifyEvidence(await admin.getEvidencePack({ runId: each })).problems).to.deep.equal([]);
    expect(verifyEvidence(await admin.exportAuditTrail()).problems).to.deep.equal([]);
  });

  it('should keep data of other people with the same name and ignore runs that contain the name inside a word', async () => {
    // given: Una, whose user name is Bea's subject, and Ed, whose user name is a part of a word in an active run
    const createClientFor = async (subject: string, userName: string) =>
      createClient({ baseUrl: countersign.url, token: await countersign.token('admin', { subject, userName }) });
    await (await createClientFor('bea', 'bea@example.com')).getMe();
    const [unaClient, edClient] = [await createClientFor('u-una', 'BEA'), await createClientFor('u-ed', 'note')];
    const runId = await startAndCompleteRun();
    await unaClient.uploadArtifact({ runId, artifactName: 'a.txt', body: 'x', contentType: 'text/plain' });
    await edClient.uploadArtifact({ runId, artifactName: 'b.txt', body: 'y', contentType: 'text/plain' });
    await admin.setAbsence({ subject: 'eli', body: { until: isoTimeIn(3_600_000), substitute: 'bea' } });
    await viewer.startRun({ body: { workflowId: 'simple', inputs: { text: 'as noted' } } });

    // when
    const erased = [];
    for (const person of ['u-una', 'u-ed']) erased.push(...(await eraseAll({ person, reason: 'Request 119' })));

    // then
    expect(erased.flatMap(({ runs }) => runs)).to.deep.equal([
      { runId, status: 'erased' },
      { runId, status: 'erased' },
    ]);
    for (const person of ['u-una', 'u-ed']) expect(await findOccurrences(person)).to.deep.equal([]);
    expect(await findOccurrences('note')).not.to.include('user_names.name');
    const { items } = await viewer.listApprovals({ runId, status: 'approved' });
    expect(items[0]?.votes[0]).to.include({ by: 'bea' });
    expect((await admin.listAbsences()).items[0]).to.include({ substitute: 'bea' });
  });

  it('should report active runs without erasing them and erase them once they have ended', async () => {
    const { runId, approvalId } = await startRunWithApproval();
    expect(
      await expectProblem((await countersign.client('viewer', 'bea')).cancelRun({ runId, body: { reason: 'x' } })),
    ).to.include({ code: 'forbidden' });

    const [first] = await eraseAll();
    expect(first?.runs).to.deep.equal([{ runId, status: 'not_ended' }]);
    expect(verifyEvidence(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
    expect((await viewer.getRun({ runId })).variables).to.include({ note: 'for bea' });

    await (await countersign.client('approver', 'dan')).decideApproval({ approvalId, body: { decision: 'approve' } });
    const [second] = await eraseAll();
    expect(second?.runs).to.deep.equal([{ runId, status: 'erased' }]);
    expect(await findOccurrences('bea')).to.deep.equal([]);
    expect(verifyEvidence(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
  });

  it('should record nothing when no data is found, and not match parts of names', async () => {
    const runId = await startAndCompleteRun();
    const dataBefore = await admin.exportAuditTrail();
    // A part of a name, which also occurs in salts and ids
    for (const person of ['be', 'ea', 'dea'])
      expect(await eraseAll({ ...ERASURE_BODY, person })).to.deep.equal([
        { dryRun: false, runs: [], serverAuditEvents: [], nextCursor: null },
      ]);
    expect((await admin.getEvidencePack({ runId })).events.map(({ type }) => type)).to.not.include(
      'personal_data.erased',
    );
    const actions = (await admin.exportAuditTrail()).auditEvents
      .slice(dataBefore.auditEvents.length)
      .map(({ action }) => action);
    expect(actions).to.not.include('personal_data.erase');
  });

  it('should refuse callers who are not admins, the erasure of the caller, and invalid cursors', async () => {
    expect(
      await expectProblem((await countersign.client('approver', 'bea')).erasePerson({ body: ERASURE_BODY })),
    ).to.include({
      code: 'forbidden',
    });
    expect(await expectProblem(admin.erasePerson({ body: { ...ERASURE_BODY, person: 'root' } }))).to.include({
      code: 'validation_failed',
    });
    expect(await expectProblem(admin.erasePerson({ body: { ...ERASURE_BODY, cursor: 'abc' } }))).to.include({
      code: 'invalid_cursor',
    });
    const forgedCursor = Buffer.from('personal-data:nonsense').toString('base64url');
    expect(await expectProblem(admin.erasePerson({ body: { ...ERASURE_BODY, cursor: forgedCursor } }))).to.include({
      code: 'invalid_cursor',
    });
  });
});
