import type { AuditTrail, Client, EvidenceAuditEvent } from '@countersign/contract';
import { type IntegrityProblemCode, verifyEvidence } from '@countersign/model/evidence';
import { approvalModel, createTestHost, signInApprovers, type TestHost, isoTimeIn } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { sha256 } from './checks.spec.support.js';
import { expectProblem } from './http.spec.support.js';
import { Device } from './signing.spec.support.js';
import { createClientWithClaims } from './custom-claims.spec.support.js';

const VALID_RESULT = { problems: [], notCovered: [] };
const HOUR_MS = 3_600_000;

describe('API: export of the server audit trail', () => {
  let countersign: TestHost;
  let sql: pg.Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    sql = new pg.Client({ connectionString: countersign.database.connectionString });
    await sql.connect();
    admin = await countersign.client('admin', 'root');
    await signInApprovers(countersign, 'bea');
    // A deployment, an absence, a key and its enrolment, a setting, and a refused request
    await admin.deployWorkflow({ body: approvalModel('simple') });
    await admin.setAbsence({
      subject: 'ada',
      body: { substitute: 'bea', until: isoTimeIn(HOUR_MS) },
    });
    await admin.endAbsence({ subject: 'ada' });
    const device = new Device((await admin.getSigning()).serverId);
    await device.register(
      await createClientWithClaims(countersign, { sub: 'ada', roles: ['approver'], auth_time: 1 }),
      'ada',
    );
    await admin.approveSigningKey({ keyId: device.keyId });
    await admin.updateSettings({ body: { values: { 'Runs:StuckAfter': 'PT7M' } } });
    expect(
      (await expectProblem(countersign.client('viewer', 'vera').then((viewer) => viewer.getSettings()))).code,
    ).to.equal('forbidden');
    await sql.query('CREATE TEMPORARY TABLE kept AS SELECT * FROM audit_events');
  });

  after(async () => {
    await sql.end();
    await countersign.close();
  });

  const problemCodes = (trail: AuditTrail): IntegrityProblemCode[] =>
    [...new Set(verifyEvidence(trail).problems.map(({ code }) => code))].sort();
  const findEntry = ({ auditEvents }: AuditTrail, action: string): EvidenceAuditEvent =>
    auditEvents.find((entry) => entry.action === action)!;

  it('should verify and contain salted digests of the people who deployed, were absent, own keys or changed settings', async () => {
    const trail = await admin.exportAuditTrail();

    expect(verifyEvidence(trail)).to.deep.equal(VALID_RESULT);
    expect(trail.nextAfter).to.equal(null);
    const expectedPeople: Record<string, Record<string, string>> = {
      'workflow.deploy': { actor: 'root' },
      'absence.set': { actor: 'root', subject: 'ada', substitute: 'bea' },
      'absence.end': { actor: 'root', subject: 'ada' },
      'signing_key.register': { actor: 'ada' },
      'signing_key.enrol': { actor: 'root', subject: 'ada' },
      'setting.change': { actor: 'root' },
      'settings.get': { actor: 'vera' },
    };
    for (const [action, people] of Object.entries(expectedPeople)) {
      const { target, private: privateData } = findEntry(trail, action);
      const salts = (privateData?.['data'] as { personSalts: Record<string, string> }).personSalts;
      expect(target?.['personDigests'], action).to.deep.equal(
        Object.fromEntries(
          Object.entries(people).map(([member, id]) => [member, sha256({ id, salt: salts[member], type: 'user' })]),
        ),
      );
    }
    // and nothing links the entries of one person after the names are erased
    const digests = trail.auditEvents.flatMap(({ target }) =>
      Object.values((target?.['personDigests'] ?? {}) as Record<string, string>),
    );
    expect(new Set(digests).size).to.equal(digests.length);
  });

  it('should not show digests and salts in the list of audit events', async () => {
    const { items } = await admin.listAuditEvents({ limit: 200 });
    expect(JSON.stringify(items)).to.not.match(/personDigests|personSalts/);
  });

  it('should be exported in consecutive parts that each verify', async () => {
    const parts: AuditTrail[] = [];
    for (let after: number | null = 0; after !== null; after = parts.at(-1)?.nextAfter ?? null)
      parts.push(await admin.exportAuditTrail({ after, limit: 2 }));

    expect(parts.length).to.be.greaterThan(2);
    for (const [index, part] of parts.entries()) {
      expect(verifyEvidence(part)).to.deep.equal(VALID_RESULT);
      if (index > 0) expect(part.chain.previous).to.deep.equal(parts[index - 1]?.chain.head);
    }
    expect(await expectProblem(admin.exportAuditTrail({ after: 1_000_000 }))).to.include({
      code: 'invalid_parameter',
      status: 400,
    });
    const [first] = parts;
    expect(problemCodes({ ...first!, auditEvents: first!.auditEvents.slice(1) })).to.include('chain_broken');
    expect(problemCodes({ ...first!, auditEvents: first!.auditEvents.slice(0, -1) })).to.deep.equal(['head_differs']);
  });

  it('should be refused without the admin role', async () => {
    expect(await expectProblem((await countersign.client('approver', 'bea')).exportAuditTrail())).to.include({
      code: 'forbidden',
    });
  });

  const manipulations: Record<string, readonly [statement: string, codes: readonly IntegrityProblemCode[]]> = {
    'the deployer': [
      `UPDATE audit_events SET actor = jsonb_set(actor, '{id}', '"innocent"'), actor_id = 'innocent' WHERE action = 'workflow.deploy'`,
      ['commitment_differs', 'person_differs'],
    ],
    'the absent person': [
      `UPDATE audit_events SET data = jsonb_set(data, '{subject}', '"innocent"') WHERE action = 'absence.set'`,
      ['commitment_differs', 'person_differs'],
    ],
    'the substitute': [
      `UPDATE audit_events SET data = jsonb_set(data, '{substitute}', '"innocent"') WHERE action = 'absence.set'`,
      ['commitment_differs', 'person_differs'],
    ],
    'the owner of an enrolled key': [
      `UPDATE audit_events SET data = jsonb_set(data, '{subject}', '"innocent"') WHERE action = 'signing_key.enrol'`,
      ['commitment_differs', 'person_differs'],
    ],
    'the author of a setting and the salt, both removed': [
      `UPDATE audit_events SET actor = NULL, salt = NULL WHERE action = 'setting.change'`,
      ['private_part_missing'],
    ],
    'the salt of a person': [
      `UPDATE audit_events SET data = jsonb_set(data, '{personSalts,actor}', '"00"') WHERE action = 'setting.change'`,
      ['commitment_differs', 'person_differs'],
    ],
  };
  for (const [caseName, [statement, codes]] of Object.entries(manipulations)) {
    it(`should fail verification after a database change of: ${caseName}`, async () => {
      expect((await sql.query(statement)).rowCount).to.equal(1);

      const trail = await admin.exportAuditTrail();
      await sql.query(
        'UPDATE audit_events a SET actor = k.actor, actor_id = k.actor_id, data = k.data, salt = k.salt FROM kept k WHERE a.audit_id = k.audit_id',
      );
      expect(problemCodes(trail)).to.deep.equal(codes);
    });
  }

  it('should be protected by the database against changes of hashed fields', async () => {
    const failure = await sql
      .query(`UPDATE audit_events SET target = target - 'personDigests' WHERE action = 'workflow.deploy'`)
      .catch((error: unknown) => error as Error);
    expect(failure).to.have.property('message').that.includes('only added to');
  });

  it('should report entries of earlier versions that have no person digests', async () => {
    const trail = await admin.exportAuditTrail();
    const [first] = trail.auditEvents;
    delete first!.target!['personDigests'];
    delete (first!.private!['data'] as Record<string, unknown>)['personSalts'];

    expect(verifyEvidence(trail).notCovered.map(({ code, events }) => ({ code, events }))).to.deep.equal([
      { code: 'person_digests_missing', events: [1] },
    ]);
  });
});
