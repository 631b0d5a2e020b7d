import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { AuditEntry } from './audit.js';
import { chainAudit, computeAuditCommitment, hashAuditRecord } from './audit-chain.js';
import { canonicalJson } from './canonical-json.js';
import { PersonSalts } from './person-digest.js';
import { GENESIS_HASH } from './run-event.js';

const sha256 = (value: object) => createHash('sha256').update(canonicalJson(value)).digest('hex');

const entry = (overrides: Partial<AuditEntry> = {}): AuditEntry => ({
  at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  actor: { type: 'user', id: 'ada', name: 'Ada "the first"' },
  action: 'run.start',
  target: { type: 'run', id: '01', zeta: 1, alpha: [true, null] },
  result: 'ok',
  from: '127.0.0.1',
  data: { b: 1, a: 'ü\u2028' },
  ...overrides,
});

const makeId = (at: number, seq: number) => `${at}-${seq}`;
const makeSalt = (seq: number) => String(seq).padStart(32, '0');

describe('chainAudit', () => {
  it('should hash the RFC 8785 form of the documented fields', () => {
    for (const runId of [null, '0190-run']) {
      const [record] = chainAudit(runId, 6, 'a'.repeat(64), [entry({ action: 'a "quoted" action' })], makeId, makeSalt);
      const { action, auditId, commitment, previousHash, result, seq, target } = record!;
      expect(record!.hash).to.equal(
        sha256({
          action,
          at: '2026-01-02T03:04:05.678Z',
          auditId,
          commitment,
          previousHash,
          result,
          runId,
          seq,
          target,
        }),
      );
      expect(target).to.deep.equal({
        ...entry().target,
        personDigests: { actor: sha256({ id: 'ada', salt: makeSalt(7), type: 'user' }) },
      });
      expect(record!.seq).to.equal(7);
      expect(previousHash).to.equal('a'.repeat(64));
    }
  });

  it('should commit to the private parts with a salt', () => {
    const { actor, from } = entry();
    const data = { ...entry().data, personSalts: { actor: makeSalt(1) } };
    const [first, second] = chainAudit(null, 0, GENESIS_HASH, [entry(), entry()], makeId, makeSalt);
    expect(first!.commitment).to.equal(sha256({ private: { actor, data, from }, salt: makeSalt(1) }));
    expect(second!.commitment).not.to.equal(first!.commitment);
  });

  it('should link each record to the one before it', () => {
    const records = chainAudit(
      null,
      0,
      GENESIS_HASH,
      [entry(), entry({ actor: null, from: null }), entry()],
      makeId,
      makeSalt,
    );
    expect(records.map((record) => record.seq)).to.eql([1, 2, 3]);
    expect(records[0]!.previousHash).to.equal(GENESIS_HASH);
    expect(records[1]!.previousHash).to.equal(records[0]!.hash);
    expect(records[2]!.previousHash).to.equal(records[1]!.hash);
    for (const record of records) expect(hashAuditRecord(record)).to.equal(record.hash);
  });

  it('should use the same person digest in the audit chain as in the event chain of the run', () => {
    const runSalts = new PersonSalts({ 'user:ada': 'ab'.repeat(16) }, () => expect.fail('no salt should be drawn'));
    const [record] = chainAudit('0190-run', 0, GENESIS_HASH, [entry()], makeId, makeSalt, runSalts);
    expect(record!.target['personDigests']).to.deep.equal({
      actor: sha256({ id: 'ada', salt: 'ab'.repeat(16), type: 'user' }),
    });
  });

  it('should add digests of the actor and of the people whom the entry concerns, but none for the system', () => {
    const listDigestMembers = (overrides: Partial<AuditEntry>): string[] =>
      Object.keys(
        chainAudit(null, 0, GENESIS_HASH, [entry(overrides)], makeId, makeSalt)[0]!.target['personDigests'] ?? {},
      );
    expect(listDigestMembers({ action: 'absence.set', data: { subject: 'bob', substitute: 'eve' } })).to.eql([
      'actor',
      'subject',
      'substitute',
    ]);
    expect(listDigestMembers({ action: 'absence.set', data: { subject: 'bob', substitute: null } })).to.eql([
      'actor',
      'subject',
    ]);
    expect(listDigestMembers({ action: 'signing_key.enrol', data: { subject: 'bob' } })).to.eql(['actor', 'subject']);
    expect(listDigestMembers({ data: { subject: 'bob' } })).to.eql(['actor']);
    for (const actor of [null, { type: 'system' as const, id: 'countersign', name: null }])
      expect(listDigestMembers({ actor })).to.eql([]);
  });

  it('should exclude groups and other additional members of an actor from the commitment', () => {
    const actor = { type: 'user' as const, id: 'ada', name: null, groups: ['a'] };
    expect(computeAuditCommitment(entry({ actor }), 'x')).to.equal(
      computeAuditCommitment(entry({ actor: { type: 'user', id: 'ada', name: null } }), 'x'),
    );
  });
});
