import type { Client, EvidencePack } from '@countersign/contract';
import { type IntegrityProblemCode, verifyEvidencePack } from '@countersign/model/evidence';
import { approvalModel, createTestHost, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { findPackErrors } from './check-pack.spec.support.js';
import { sha256 } from './checks.spec.support.js';
import { waitForApproval } from './http.spec.support.js';

const SOUND_PACK = { problems: [], notCovered: [] };
const USER_IDS = ['admin', 'vera', 'ugo', 'bea', 'dan', 'eli'];
const ASSIGNMENT =
  '<bpmn:extensionElements><zeebe:assignmentDefinition candidateUsers="bea,dan" /><zeebe:properties><zeebe:property name="approval.quorum" value="2" /></zeebe:properties></bpmn:extensionElements>';

describe('API: an evidence pack after changes in the database', () => {
  let countersign: TestHost;
  let sql: pg.Client;
  let viewer: Client;
  let runId: string;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
    await countersign.deploy(approvalModel('by-two', '', ASSIGNMENT));
    sql = new pg.Client({ connectionString: countersign.database.connectionString });
    await sql.connect();
    viewer = await countersign.client('viewer', 'vera');
    await signInApprovers(countersign, 'eli');
  });

  after(async () => {
    await sql.end();
    await countersign.close();
  });

  beforeEach(async () => {
    ({ runId } = await viewer.startRun({ body: { workflowId: 'simple', inputs: {} } }));
    await (
      await countersign.client('operator', 'ugo')
    ).uploadArtifact({ runId, artifactName: 'notes.txt', body: 'hello', contentType: 'text/plain' });
    await countersign.jobs.complete('work');
    const { approvalId } = await waitForApproval(viewer, runId);
    await (
      await countersign.client('approver', 'bea')
    ).decideApproval({ approvalId, body: { decision: 'approve', comment: 'Read it.' } });
  });

  const getEvidencePack = (): Promise<EvidencePack> => viewer.getEvidencePack({ runId });
  const getProblemCodes = (pack: unknown): IntegrityProblemCode[] =>
    [...new Set(verifyEvidencePack(pack).problems.map(({ code }) => code))].sort();

  it('should verify without changes, name people as the events do, and contain their digests', async () => {
    const pack = await getEvidencePack();

    expect(verifyEvidencePack(pack)).to.deep.equal(SOUND_PACK);
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect([
      pack.run.startedBy,
      pack.approvals[0]?.votes[0]?.by,
      pack.approvals[0]?.resolvedBy,
      pack.artifacts[0]?.createdBy,
    ]).to.deep.equal(['vera', 'bea', 'bea', 'ugo']);
    const getPersonDigests = (type: string): unknown =>
      pack.events.find((event) => event.type === type)?.data['personDigests'];
    expect(getPersonDigests('run.started')).to.have.all.keys('actor', 'deployedBy');
    for (const type of ['artifact.created', 'approval.voted'])
      expect(getPersonDigests(type), type).to.have.all.keys('actor');
    expect(pack.workflow.deployedBy).to.equal('admin');
  });

  it('should name no other person when the private part of a vote is missing and the votes table was changed', async () => {
    // when
    await sql.query(`UPDATE run_events SET private = NULL, salt = NULL WHERE type = 'approval.voted' AND run_id = $1`, [
      runId,
    ]);
    await sql.query(
      `UPDATE votes SET voted_by = 'innocent', voted_by_name = 'Innocent', comment = 'Me.' WHERE approval_id IN (SELECT approval_id FROM approvals WHERE run_id = $1)`,
      [runId],
    );

    // then
    const pack = await getEvidencePack();
    expect(JSON.stringify(pack)).to.not.include('innocent');
    expect(pack.approvals[0]?.votes[0]).to.include({ by: null, byName: null, comment: null, decision: 'approve' });
    expect(getProblemCodes(pack)).to.deep.equal(['private_part_missing']);
    // and a name that is added to the pack is detected
    pack.approvals[0]!.votes[0]!.by = 'innocent';
    expect(getProblemCodes(pack)).to.include('statement_differs');
  });

  it('should fail verification when the private part of a vote names another person', async () => {
    await sql.query(
      `UPDATE run_events SET private = jsonb_set(private, '{actor,id}', '"innocent"') WHERE type = 'approval.voted' AND run_id = $1`,
      [runId],
    );

    expect(getProblemCodes(await getEvidencePack())).to.deep.equal(['commitment_differs', 'person_differs']);
  });

  const harmlessStatements: Record<string, string> = {
    'the voter, the vote and its comment': `UPDATE votes SET voted_by = 'innocent', voted_by_name = 'innocent', decision = 'reject', comment = 'innocent' WHERE approval_id IN (SELECT approval_id FROM approvals WHERE run_id = $1)`,
    'the requester, candidates, delegations, quorum, resolver and status of an approval': `UPDATE approvals SET status = 'rejected', requested_by = 'innocent', resolved_by = '{"type":"user","id":"innocent","name":null}', candidate_users = '["innocent"]', delegations = '[{"from":"innocent","to":"bea","until":null}]', quorum = 7 WHERE run_id = $1`,
    'the starter of the run': `UPDATE runs SET started_by = 'innocent' WHERE run_id = $1`,
    'the uploader of an artifact': `UPDATE artifacts SET created_by = 'innocent' WHERE run_id = $1`,
  };
  for (const [caseName, statement] of Object.entries(harmlessStatements)) {
    it(`should stay the same and verify after a change in a table other than the events: ${caseName}`, async () => {
      const before = await getEvidencePack();
      await sql.query(statement, [runId]);
      const after = await getEvidencePack();

      for (const name of ['run', 'approvals', 'artifacts', 'workflow'] as const)
        expect(after[name], name).to.deep.equal(before[name]);
      expect(verifyEvidencePack(after)).to.deep.equal(SOUND_PACK);
    });
  }

  it('should name the deployer that the run recorded, even if the workflow table was changed', async () => {
    await sql.query(`UPDATE workflow_versions SET deployed_by = 'innocent' WHERE workflow_id = 'simple'`);

    const pack = await getEvidencePack();
    expect(pack.workflow.deployedBy).to.equal('admin');
    expect(verifyEvidencePack(pack)).to.deep.equal(SOUND_PACK);
  });

  it('should name no other person or fail verification after any column with names of people was changed', async () => {
    // given: a starter, an uploader, two candidates, one of whom delegated, and two votes
    ({ runId } = await viewer.startRun({ body: { workflowId: 'by-two' } }));
    await (
      await countersign.client('operator', 'ugo')
    ).uploadArtifact({ runId, artifactName: 'notes.txt', body: 'hello', contentType: 'text/plain' });
    await countersign.jobs.complete('work');
    const { approvalId } = await waitForApproval(viewer, runId);
    await (await countersign.client('approver', 'dan')).delegateApproval({ approvalId, body: { to: 'eli' } });
    for (const voter of ['bea', 'eli'])
      await (await countersign.client('approver', voter)).decideApproval({ approvalId, body: { decision: 'approve' } });
    const before = await getEvidencePack();
    expect(verifyEvidencePack(before)).to.deep.equal(SOUND_PACK);
    const { rows } = await sql.query<{ table: string; column: string; type: string }>(
      `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
       WHERE table_schema = current_schema() AND data_type IN ('text', 'json', 'jsonb') AND table_name <> 'workflow_contents' ORDER BY 1, 2`,
    );

    // when: each column is changed separately
    const refusedByTrigger: string[] = [];
    const changedColumns: string[] = [];
    for (const { table, column, type } of rows) {
      const nameCondition = type === 'text' ? `"${column}" = ANY($1)` : `"${column}"::text ~ $1`;
      const innocentNameSql =
        type === 'text' ? `'innocent'` : `regexp_replace("${column}"::text, $1, '"innocent"', 'g')::${type}`;
      const people = type === 'text' ? USER_IDS : `"(${USER_IDS.join('|')})"`;
      await sql.query('BEGIN');
      let count: number | null = null;
      try {
        ({ rowCount: count } = await sql.query(
          `UPDATE "${table}" SET "${column}" = ${innocentNameSql} WHERE ${nameCondition}`,
          [people],
        ));
        await sql.query('COMMIT');
      } catch {
        await sql.query('ROLLBACK');
        refusedByTrigger.push(`${table}.${column}`);
      }
      if (count !== null && count > 0) changedColumns.push(`${table}.${column}`);
    }
    const after = await getEvidencePack();

    // then
    expect(changedColumns).to.include.members([
      'approvals.candidate_users',
      'approvals.delegations',
      'approvals.requested_by',
      'approvals.resolved_by',
      'artifacts.created_by',
      'audit_events.actor',
      'run_events.private',
      'runs.started_by',
      'votes.voted_by',
      'workflow_versions.deployed_by',
    ]);
    expect(refusedByTrigger).to.include('run_events.data');
    expect(getProblemCodes(after)).to.include.members(['commitment_differs', 'person_differs']);
    // and with the history restored, the changes in the other tables have no effect
    await sql.query('BEGIN');
    for (const { seq, private: privateData } of before.events)
      await sql.query('UPDATE run_events SET private = $3 WHERE run_id = $1 AND seq = $2', [runId, seq, privateData]);
    for (const { auditId, private: privateData } of before.auditEvents)
      await sql.query('UPDATE audit_events SET actor = $2 WHERE audit_id = $1', [
        auditId,
        JSON.stringify(privateData?.['actor']),
      ]);
    await sql.query('COMMIT');
    const restoredPack = await getEvidencePack();
    expect(
      verifyEvidencePack(restoredPack).problems.map(({ code, pointer }) => [code, pointer]),
      'only the variables still differ',
    ).to.deep.equal([['statement_differs', '/run/variables/approval']]);
    restoredPack.run.variables = before.run.variables;
    expect(verifyEvidencePack(restoredPack)).to.deep.equal(SOUND_PACK);
    for (const name of ['run', 'approvals', 'artifacts', 'workflow', 'events', 'auditEvents'] as const)
      expect(restoredPack[name], name).to.deep.equal(before[name]);
  });

  it('should verify a pack of format 1, report missing person digests, and detect changed names', async () => {
    const pack = convertToFormat1(await getEvidencePack());
    const { problems, notCovered } = verifyEvidencePack(pack);
    expect(problems).to.deep.equal([]);
    expect(notCovered.map(({ code, events }) => [code, events.length > 0])).to.deep.equal([
      ['person_digests_missing', true],
      ['deployer_not_recorded', true],
    ]);

    pack.approvals[0]!.votes[0]!.by = 'innocent';
    expect(getProblemCodes(pack)).to.deep.equal(['statement_differs']);
    Object.assign(
      pack.events.find(({ type }) => type === 'approval.voted')!,
      { private: null, salt: null },
    );
    expect(getProblemCodes(pack)).to.deep.equal(['private_part_missing', 'statement_differs']);
  });

  it('should report missing person digests of a run that an older server started', async () => {
    const { notCovered: uncovered, ...pack } = await getEvidencePack();
    expect(uncovered).to.deep.equal([]);
    const format1Pack = { ...convertToFormat1({ ...pack, notCovered: uncovered }), schema: pack.schema };

    expect(getProblemCodes(format1Pack), 'a pack that does not report the missing digests').to.deep.equal([
      'statement_differs',
    ]);
    const { notCovered } = verifyEvidencePack(format1Pack);
    const untamperedPack = { ...format1Pack, workflow: { ...format1Pack.workflow, deployedBy: null }, notCovered };
    expect(verifyEvidencePack(untamperedPack)).to.deep.equal({ problems: [], notCovered });
  });

  const packChanges: Record<string, readonly [change: (pack: EvidencePack) => void, code: IntegrityProblemCode]> = {
    'the last event': [(pack) => void pack.events.pop(), 'head_differs'],
    'the last event and the head of the chain': [
      (pack) => {
        pack.events.pop();
        const { seq, hash } = pack.events.at(-1)!;
        pack.chain.runHead = { seq, hash };
      },
      'head_differs',
    ],
    'the last audit event': [(pack) => void pack.auditEvents.pop(), 'head_differs'],
    'an event in the middle': [(pack) => void pack.events.splice(2, 1), 'chain_broken'],
    'the vote': [(pack) => void pack.approvals[0]!.votes.pop(), 'statement_differs'],
    'the approval': [(pack) => void pack.approvals.pop(), 'statement_differs'],
    'the artifact': [(pack) => void pack.artifacts.pop(), 'statement_differs'],
    'the digest of the artifact': [(pack) => void (pack.artifacts[0]!.sha256 = '0'.repeat(64)), 'statement_differs'],
    'the status of the approval': [(pack) => void (pack.approvals[0]!.status = 'rejected'), 'statement_differs'],
    'the quorum': [(pack) => void (pack.approvals[0]!.quorum.required = 2), 'statement_differs'],
    'the outcome': [(pack) => void (pack.run.outcome = 'cancelled'), 'statement_differs'],
    'the starter': [(pack) => void (pack.run.startedBy = 'innocent'), 'statement_differs'],
    'the deployer': [(pack) => void (pack.workflow.deployedBy = 'innocent'), 'statement_differs'],
    'the BPMN model': [(pack) => void (pack.workflow.bpmnXml += ' '), 'digest_differs'],
    'the digest of a person': [
      (pack) => void ((pack.events[0]!.data['personDigests'] as Record<string, string>)['actor'] = '0'.repeat(64)),
      'person_differs',
    ],
    'the salt of a person': [
      (pack) => void ((pack.events[0]!.private!['personSalts'] as Record<string, string>)['actor'] = '0'.repeat(32)),
      'person_differs',
    ],
    'two swapped private parts': [swapPrivateParts, 'commitment_differs'],
  };
  for (const [caseName, [change, code]] of Object.entries(packChanges)) {
    it(`should fail verification after a change or removal of: ${caseName}`, async () => {
      const pack = await getEvidencePack();
      change(pack);
      expect(getProblemCodes(pack)).to.include(code);
    });
  }

  it('should report a finding for input that is not a readable pack', () => {
    for (const pack of [null, [], {}, { schema: 'urn:countersign:schema:evidence-pack:3' }])
      expect(getProblemCodes(pack)).to.deep.equal(['format_unknown']);
    expect(
      getProblemCodes({
        schema: 'urn:countersign:schema:evidence-pack:2',
        notCovered: [],
        events: [null, { data: '\ud800' }],
      }),
    ).to.include('malformed');
  });

  it('should fail verification when the audit trail was changed to name another person', async () => {
    await sql.query(
      `UPDATE audit_events SET actor = '{"type":"user","id":"innocent","name":null}' WHERE action = 'approval.vote' AND run_id = $1`,
      [runId],
    );

    expect(getProblemCodes(await getEvidencePack())).to.deep.equal(['commitment_differs', 'person_differs']);
  });

  const databaseChanges: Record<string, readonly [statement: string, IntegrityProblemCode]> = {
    'another subject of an approval': [
      `UPDATE approvals SET subject = jsonb_set(subject::jsonb, '{inputs}', '{"x":1}') WHERE run_id = $1`,
      'digest_differs',
    ],
    'the removal of an approval and its votes': [
      `WITH gone AS (DELETE FROM votes WHERE approval_id IN (SELECT approval_id FROM approvals WHERE run_id = $1)) DELETE FROM approvals WHERE run_id = $1`,
      'statement_differs',
    ],
    'the actor of an audit event, without its salt': [
      `UPDATE audit_events SET salt = NULL, actor = '{"type":"user","id":"innocent","name":null}' WHERE action = 'approval.vote' AND run_id = $1`,
      'private_part_missing',
    ],
    'the removal of the starter from the history': [
      `UPDATE run_events SET private = NULL, salt = NULL WHERE type = 'run.started' AND run_id = $1`,
      'private_part_missing',
    ],
  };
  for (const [caseName, [statement, code]] of Object.entries(databaseChanges)) {
    it(`should fail verification after a database change: ${caseName}`, async () => {
      await sql.query(statement, [runId]);

      const pack = await getEvidencePack();
      expect(getProblemCodes(pack)).to.deep.equal([code]);
      expect(JSON.stringify([pack.run, pack.approvals])).to.not.include('innocent');
    });
  }
});

/** Swaps the private parts, with their salts, of two events by different people. */
function swapPrivateParts({ events }: EvidencePack): void {
  const [first, second] = [
    events.find(({ type }) => type === 'artifact.created')!,
    events.find(({ type }) => type === 'approval.voted')!,
  ];
  const { private: privateData, salt } = first;
  Object.assign(first, { private: second.private, salt: second.salt });
  Object.assign(second, { private: privateData, salt });
}

/** Returns the pack as an older server without person digests wrote it: the same history, chained without them. */
function convertToFormat1(pack: EvidencePack): EvidencePack {
  const events = structuredClone(pack.events);
  let previousHash = pack.chain.genesis;
  for (const event of events) {
    delete event.data['personDigests'];
    delete event.private?.['personSalts'];
    delete event.private?.['deployedBy'];
    const commitment = event.private === null ? null : sha256({ private: event.private, salt: event.salt });
    const { private: _private, salt: _salt, hash: _hash, ...fields } = event;
    const hash = sha256({ ...fields, runId: pack.run.runId, commitment, previousHash });
    Object.assign(event, { commitment, previousHash, hash });
    previousHash = hash;
  }
  const chain = { ...pack.chain, runHead: { seq: events.length, hash: previousHash } };
  return { ...pack, schema: 'urn:countersign:schema:evidence-pack:1' as EvidencePack['schema'], events, chain };
}
