import type { Client, EvidencePack, PersonalDataErasure } from '@countersign/contract';
import { type IntegrityProblemCode, verifyEvidence } from '@countersign/model/evidence';
import { approvalModel, createTestHost, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem, waitForApproval } from './http.spec.support.js';
import { createClientWithClaims } from './custom-claims.spec.support.js';

/** Occurs in every text that people write, so that the test can search for it afterwards. */
const SECRET = 'Xanadu';
const REASON = 'Request 118';
const QUORUM_EXTENSIONS =
  '<bpmn:extensionElements><zeebe:assignmentDefinition candidateUsers="bea,dan" /><zeebe:properties><zeebe:property name="approval.quorum" value="2" /></zeebe:properties></bpmn:extensionElements>';

describe('API: erasure of personal data of a run', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let sql: pg.Client;
  let viewer: Client;
  let admin: Client;
  let secondServerClient: Client;

  before(async () => {
    firstServer = await createTestHost({ jobTypes: ['work'] });
    secondServer = await createTestHost({ shareDataWith: firstServer });
    await firstServer.deploy(approvalModel('by-two', '', QUORUM_EXTENSIONS));
    sql = new pg.Client({ connectionString: firstServer.database.connectionString });
    await sql.connect();
    [viewer, admin, secondServerClient] = await Promise.all([
      firstServer.client('viewer', 'vera'),
      firstServer.client('admin', 'root'),
      secondServer.client('admin', 'root'),
    ]);
    await signInApprovers(firstServer, 'eli');
  });

  after(async () => {
    await sql.end();
    await secondServer.close();
    await firstServer.close();
  });

  /** Starts a run with an artifact, a delegation, a refusal and an approval that is still pending. */
  async function startRunWithApproval(): Promise<{ runId: string; approvalId: string }> {
    const { runId } = await viewer.startRun(
      { body: { workflowId: 'by-two', inputs: { note: `${SECRET} by Vera` }, businessKey: SECRET } },
      { idempotencyKey: crypto.randomUUID() },
    );
    await (
      await firstServer.client('operator', 'ugo')
    ).uploadArtifact({ runId, artifactName: `${SECRET}.txt`, body: 'hello', contentType: 'text/plain' });
    await firstServer.jobs.complete('work', { output: { result: SECRET } });
    const { approvalId } = await waitForApproval(viewer, runId);
    await (await firstServer.client('approver', 'dan')).delegateApproval({ approvalId, body: { to: 'eli' } });
    expect(
      await expectProblem(
        (await firstServer.client('approver', 'vera')).decideApproval({ approvalId, body: { decision: 'approve' } }),
      ),
    ).to.have.property('code');
    return { runId, approvalId };
  }

  async function startAndCompleteRun(): Promise<string> {
    const { runId, approvalId } = await startRunWithApproval();
    const bea = await createClientWithClaims(firstServer, { sub: 'bea', name: 'Beatrix B.', roles: ['approver'] });
    await bea.decideApproval({ approvalId, body: { decision: 'approve', comment: SECRET } });
    await (
      await firstServer.client('approver', 'eli')
    ).decideApproval({ approvalId, body: { decision: 'approve', comment: 'As Beatrix B. says.' } });
    expect((await viewer.getRun({ runId })).outcome).to.equal('completed');
    return runId;
  }

  const getEvidencePack = (runId: string, client = admin): Promise<EvidencePack> => client.getEvidencePack({ runId });
  const listProblemCodes = (pack: EvidencePack): IntegrityProblemCode[] =>
    [...new Set(verifyEvidence(pack).problems.map(({ code }) => code))].sort();
  const erase = (runId: string, person?: string, client = admin): Promise<PersonalDataErasure> =>
    client.erasePersonalData({ runId, body: { reason: REASON, ...(person === undefined ? {} : { person }) } });

  /** Returns the columns of all tables that contain a text as a whole word, in rows that contain the run id. */
  async function findOccurrences(text: string, runId: string): Promise<string[]> {
    const { rows } = await sql.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns c
       WHERE table_schema = current_schema() AND data_type IN ('text', 'json', 'jsonb') AND table_name NOT IN ('workflow_versions', 'workflow_contents', 'principals') ORDER BY 1, 2`,
    );
    const found: string[] = [];
    for (const { table, column } of rows) {
      const { rowCount } = await sql.query(
        `SELECT FROM "${table}" AS t WHERE "${column}"::text ~ $1 AND t::text LIKE $2`,
        [`\\m${text}\\M`, `%${runId}%`],
      );
      if (rowCount !== 0) found.push(`${table}.${column}`);
    }
    return found;
  }

  it('should remove people and payloads from all tables and leave an evidence pack that verifies', async () => {
    // given
    const runId = await startAndCompleteRun();
    const packBefore = await getEvidencePack(runId);
    expect(await findOccurrences(SECRET, runId)).to.include.members([
      'run_events.private',
      'runs.state',
      'runs.business_key',
      'votes.comment',
      'approvals.subject',
      'artifacts.name',
      'idempotency_keys.response',
    ]);

    // when
    const erased = await erase(runId);

    // then
    for (const text of [SECRET, 'vera', 'bea', 'dan', 'eli', 'ugo', 'Beatrix'])
      expect(
        (await findOccurrences(text, runId)).filter((columnPath) => columnPath !== 'idempotency_keys.scope'),
        text,
      ).to.deep.equal([]);
    const pack = await getEvidencePack(runId);
    expect(verifyEvidence(pack).problems).to.deep.equal([]);
    expect(pack.notCovered.map(({ code, events }) => ({ code, events }))).to.deep.equal([
      { code: 'audit_private_part_erased', events: erased.auditEvents },
      { code: 'private_part_erased', events: erased.events },
    ]);
    expect(pack.events.slice(0, -1).map(({ hash }) => hash)).to.deep.equal(packBefore.events.map(({ hash }) => hash));
    expect(pack.events.at(-1)).to.deep.include({ type: 'personal_data.erased' });
    expect(pack.events.at(-1)?.private).to.deep.include({ reason: REASON });
    expect(pack.run).to.deep.include({
      startedBy: null,
      inputs: {},
      variables: {},
      businessKey: null,
      outcome: 'completed',
    });
    expect(pack.approvals[0]).to.deep.include({
      candidateUsers: [],
      digest: packBefore.approvals[0]?.digest,
      status: 'approved',
    });
    expect(pack.approvals[0]?.votes.map(({ by, comment, decision }) => ({ by, comment, decision }))).to.deep.equal(
      [1, 2].map(() => ({ by: null, comment: null, decision: 'approve' })),
    );
    expect(pack.refusals.map((entry) => [entry.action, entry.private === null])).to.deep.equal([
      ['approval.vote', true],
      ['personal_data.erase', false],
    ]);
  });

  it('should mark the erased data wherever the run is shown, on each server, even after earlier reads', async () => {
    const runId = await startAndCompleteRun();
    for (const client of [viewer, secondServerClient])
      for (const read of [
        client.getRun({ runId }),
        client.getRunState({ runId, at: 3 }),
        client.listRunEvents({ runId }),
      ])
        expect(JSON.stringify(await read)).to.include(SECRET);

    await erase(runId);

    for (const client of [viewer, secondServerClient]) {
      const run = await client.getRun({ runId });
      expect(run).to.deep.include({ startedBy: '[erased]', inputs: {}, variables: {}, businessKey: null });
      const [first, ...events] = (await client.listRunEvents({ runId, limit: 200 })).items;
      expect(first).to.deep.include({ type: 'run.started', actor: null, erased: true });
      expect(events.at(-1)).to.deep.include({ type: 'personal_data.erased', actor: 'root', erased: false });
      const state = await client.getRunState({ runId, at: 3 });
      expect(state.gap).to.include({ code: 'erased', seq: 1 });
      const approvals = (await client.listApprovals({ runId, status: 'approved' })).items;
      expect(approvals[0]).to.deep.include({ requestedBy: '[erased]', candidateUsers: ['[erased]', '[erased]'] });
      const artifacts = (await client.listArtifacts({ runId })).items;
      expect(artifacts.map(({ name, createdBy }) => ({ name, createdBy }))).to.deep.equal([
        { name: '[erased] 1', createdBy: '[erased]' },
      ]);
      const { items } = await admin.listAuditEvents({ runId, limit: 200 });
      expect(items.filter(({ erased }) => erased).length).to.be.greaterThan(3);
      for (const shown of [run, first, events, state, approvals, artifacts, items])
        expect(JSON.stringify(shown)).to.not.include(SECRET);
    }
    expect((await viewer.listRuns({ startedBy: 'vera', limit: 200 })).items.map((run) => run.runId)).to.not.include(
      runId,
    );
  });

  it('should erase the data that names one person and keep the data of others verifiable', async () => {
    const runId = await startAndCompleteRun();
    const packBefore = await getEvidencePack(runId);

    const erased = await erase(runId, 'bea');

    for (const text of ['bea', 'Beatrix'])
      expect(
        (await findOccurrences(text, runId)).filter((columnPath) => columnPath !== 'idempotency_keys.scope'),
        text,
      ).to.deep.equal([]);
    const found = await viewer.listInbox({ runId, status: 'all', q: `${SECRET} by Vera` });
    expect(found.items, 'the approval is still found by the data of others').to.have.length(1);
    const pack = await getEvidencePack(runId);
    expect(verifyEvidence(pack).problems).to.deep.equal([]);
    expect(pack.run).to.include({ startedBy: 'vera' });
    expect(pack.artifacts[0]).to.include({ createdBy: 'ugo', name: `${SECRET}.txt` });
    const remainingEvents = pack.events.filter(({ seq }) => !erased.events.includes(seq));
    expect(remainingEvents.slice(0, -1)).to.deep.equal(
      packBefore.events.filter(({ seq }) => !erased.events.includes(seq)),
    );
    // The remaining digests still show which events name the same person.
    const digests = pack.events
      .filter(({ type }) => type === 'approval.voted')
      .map(({ data }) => (data['personDigests'] as Record<string, string>)['actor']);
    expect(new Set(digests).size).to.equal(2);
    expect(pack.events.at(-1)?.data).to.deep.include({ scope: 'person', personDigest: digests[0] });
    const salts = await sql.query<{ salts: Record<string, string> }>(
      `SELECT state -> 'personSalts' AS salts FROM runs WHERE run_id = $1`,
      [runId],
    );
    expect(Object.keys(salts.rows[0]?.salts ?? {}))
      .to.include('user:vera')
      .and.not.include('user:bea');
  });

  it('should erase the notifications and inbound events of the run and prevent redelivery', async () => {
    // given: a pending notification and a received event, both for this run and for another one
    const [runId, otherRunId] = [await startAndCompleteRun(), await startAndCompleteRun()];
    for (const each of [runId, otherRunId]) {
      await sql.query(
        `INSERT INTO outbound_deliveries (delivery_id, run_id, element_id, endpoint_id, content_type, body) VALUES (gen_random_uuid(), $1, 'notify', 'desk', 'text/plain', $2)`,
        [each, `${SECRET}, Ada`],
      );
      await sql.query(
        `INSERT INTO inbound_events (event_id, via, source, idempotency_key, message_name, correlation_key, payload, actor, "from", status, received, received_at)
         VALUES (gen_random_uuid(), 'test', 'ci', $1, 'm', 'k', $2, '{"type":"user","id":"ada","name":null}', '192.0.2.1', 'delivered', jsonb_build_object('by-two', $1::text), now())`,
        [each, JSON.stringify({ note: SECRET })],
      );
    }
    const searchedColumns = ['inbound_events.actor', 'inbound_events.payload', 'outbound_deliveries.body'];
    const findRemainingData = async (id: string): Promise<string[]> =>
      [...(await findOccurrences(SECRET, id)), ...(await findOccurrences('ada', id))]
        .filter((columnPath) => searchedColumns.includes(columnPath))
        .sort();
    expect(await findRemainingData(runId)).to.deep.equal(searchedColumns);

    // when, then
    expect(await erase(runId, 'nobody')).to.include({ notifications: 0, inboundEvents: 0 });
    expect(await erase(runId)).to.include({ notifications: 1, inboundEvents: 1 });
    expect(await findRemainingData(runId)).to.deep.equal([]);
    expect(await findRemainingData(otherRunId)).to.deep.equal(searchedColumns);
    const { items } = await admin.listOutboundDeliveries({ runId });
    expect(items.map(({ status, error }) => ({ status, error }))).to.deep.equal([
      { status: 'failed', error: 'erased' },
    ]);
    expect(await expectProblem(admin.redeliverOutboundDelivery({ deliveryId: items[0]!.deliveryId }))).to.include({
      code: 'outbound_delivery_not_found',
    });
    expect(await erase(runId)).to.include({ notifications: 0, inboundEvents: 0 });
  });

  it('should refuse an erasure while the run is active, by a non-admin, without a reason, and of the requesting admin', async () => {
    const { runId } = await startRunWithApproval();
    expect(await expectProblem(erase(runId))).to.include({ status: 409, code: 'run_not_ended' });
    expect(await expectProblem(admin.erasePersonalData({ runId, body: { reason: REASON }, dryRun: true }))).to.include({
      status: 409,
      code: 'run_not_ended',
    });
    expect(await expectProblem(erase(runId, undefined, await firstServer.client('approver', 'bea')))).to.include({
      code: 'forbidden',
    });
    expect(await expectProblem(admin.erasePersonalData({ runId, body: { reason: ' ' } }))).to.include({
      code: 'validation_failed',
    });
    expect(await expectProblem(erase(runId, 'root'))).to.include({ code: 'validation_failed' });
    expect(await expectProblem(erase(crypto.randomUUID()))).to.include({ code: 'run_not_found' });
    expect((await getEvidencePack(runId)).run.variables).to.have.property('note');
    expect(verifyEvidence(await getEvidencePack(runId)).problems).to.deep.equal([]);
  });

  it('should return the plan of a dry run and change nothing', async () => {
    const runId = await startAndCompleteRun();
    const packBefore = await getEvidencePack(runId);
    const plan = await admin.erasePersonalData({ runId, body: { reason: REASON }, dryRun: true });
    expect((await getEvidencePack(runId)).events).to.deep.equal(packBefore.events);

    const erased = await erase(runId);
    expect(erased).to.deep.equal({ ...plan, dryRun: false });
  });

  it('should erase nothing more when repeated, except data that was added since', async () => {
    const runId = await startAndCompleteRun();
    await erase(runId);
    const packAfterErasure = await getEvidencePack(runId);

    expect(await erase(runId)).to.deep.include({
      events: [],
      auditEvents: [],
      serverAuditEvents: [],
      approvals: 0,
      artifacts: [],
    });
    expect((await getEvidencePack(runId)).events).to.deep.equal(packAfterErasure.events);

    await (
      await firstServer.client('operator', 'ugo')
    ).uploadArtifact({ runId, artifactName: `${SECRET}.txt`, body: 'again', contentType: 'text/plain' });
    expect((await erase(runId)).events).to.have.lengthOf(1);
    expect(await findOccurrences(SECRET, runId)).to.deep.equal([]);
    expect(await findOccurrences('ugo', runId)).to.deep.equal([]);
    expect(verifyEvidence(await getEvidencePack(runId)).problems).to.deep.equal([]);
  });

  it('should erase each event once when two servers erase concurrently', async () => {
    const runId = await startAndCompleteRun();
    await Promise.all([
      erase(runId),
      erase(runId, undefined, secondServerClient),
      erase(runId, 'bea'),
      erase(runId, 'vera', secondServerClient),
    ]);

    const pack = await getEvidencePack(runId);
    expect(verifyEvidence(pack).problems).to.deep.equal([]);
    const erasedSeqs = pack.events
      .filter(({ type }) => type === 'personal_data.erased')
      .flatMap(({ data }) => data['events'] as number[]);
    expect(new Set(erasedSeqs).size).to.equal(erasedSeqs.length);
    expect(await findOccurrences(SECRET, runId)).to.deep.equal([]);
  });

  const manipulations: Record<string, readonly [statement: string, code: IntegrityProblemCode]> = {
    'replaces an erased voter with another person': [
      `UPDATE run_events SET private = '{"actor":{"type":"user","id":"innocent","name":null},"comment":null}', salt = '00' WHERE type = 'approval.voted' AND run_id = $1`,
      'commitment_differs',
    ],
    'restores a subject': [
      `UPDATE approvals SET subject = subject::jsonb - 'erased' WHERE run_id = $1`,
      'digest_differs',
    ],
    'adds an approval decision to the variables': [
      `UPDATE runs SET state = jsonb_set(state::jsonb, ARRAY['instances', state ->> 'root', 'variables'], '{"approval":{"decision":"approve","comment":null,"decidedBy":"innocent","decidedAt":"2026-01-01T00:00:00.000Z","round":1}}')::json WHERE run_id = $1`,
      'statement_differs',
    ],
    'removes the record of the erasure': [
      `UPDATE run_events SET private = NULL, salt = NULL WHERE type = 'personal_data.erased' AND run_id = $1`,
      'private_part_missing',
    ],
    'replaces an erased refused person with another person': [
      `UPDATE audit_events SET actor = '{"type":"user","id":"innocent","name":null}', salt = '00' WHERE run_id = $1 AND seq = 1`,
      'commitment_differs',
    ],
  };
  for (const [caseName, [statement, code]] of Object.entries(manipulations)) {
    it(`should fail verification after a database user ${caseName}`, async () => {
      const runId = await startAndCompleteRun();
      await erase(runId);
      expect((await sql.query(statement, [runId])).rowCount).to.be.greaterThan(0);
      expect(listProblemCodes(await getEvidencePack(runId))).to.include(code);
    });
  }

  it('should still fail verification when a private part is missing without an erasure', async () => {
    const runId = await startAndCompleteRun();
    await erase(runId, 'bea');
    await sql.query(`UPDATE run_events SET private = NULL, salt = NULL WHERE type = 'run.started' AND run_id = $1`, [
      runId,
    ]);
    await sql.query(`UPDATE runs SET started_by = 'innocent' WHERE run_id = $1`, [runId]);

    const pack = await getEvidencePack(runId);
    expect(listProblemCodes(pack)).to.include('private_part_missing');
    expect(JSON.stringify(pack)).to.not.include('innocent');
  });

  it('should audit the erasure and leave a server audit trail that verifies', async () => {
    const runId = await startAndCompleteRun();
    await erase(runId);

    const { items } = await admin.listAuditEvents({ runId, limit: 200 });
    const recorded = items.filter(({ action }) => action === 'personal_data.erase');
    expect(recorded.map(({ actor, data }) => ({ actor, reason: data['reason'] }))).to.deep.include({
      actor: 'root',
      reason: REASON,
    });
    const trail = await admin.exportAuditTrail();
    expect(verifyEvidence(trail).problems).to.deep.equal([]);
    const { events = [] } = trail.notCovered.find(({ code }) => code === 'audit_private_part_erased') ?? {};
    expect(events.length).to.be.greaterThan(0);
    // and the part before the record of the erasure verifies separately
    const part = await admin.exportAuditTrail({ limit: Math.max(...events) });
    expect(verifyEvidence(part).problems).to.deep.equal([]);
    expect(part.laterErasures.length).to.be.greaterThan(0);
    expect(verifyEvidence({ ...part, laterErasures: [] }).problems.map(({ code }) => code)).to.include(
      'private_part_missing',
    );
  });
});
