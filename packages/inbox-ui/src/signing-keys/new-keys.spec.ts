import type { SigningKey } from '@countersign/contract';
import { expect } from 'chai';
import { newsOfKeys } from './new-keys.js';

const NOW = Date.parse('2026-11-23T10:00:00.000Z');
const DAY = 86_400_000;

const key = (keyId: string, over: Partial<SigningKey> = {}): SigningKey => ({
  keyId,
  subject: 'ada',
  name: 'Phone',
  publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'x' },
  createdAt: new Date(NOW - DAY).toISOString(),
  enrolment: null,
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
  ...over,
});
const enrolled = (at: number): SigningKey['enrolment'] => ({
  method: 'sign_in',
  by: null,
  at: new Date(at).toISOString(),
});

describe('newsOfKeys', () => {
  it('should report only keys of other devices that are not revoked', () => {
    const keys = [key('phone'), key('here'), key('gone', { revokedAt: new Date(NOW).toISOString(), revokedBy: 'ada' })];
    expect(newsOfKeys(keys, 'here', NOW).map(({ keyId, counts }) => [keyId, counts])).to.deep.equal([['phone', false]]);
  });

  it('should report a key again when it is enrolled, and report no old keys', () => {
    const long = { createdAt: new Date(NOW - 30 * DAY).toISOString() };
    const [registered] = newsOfKeys([key('phone')], undefined, NOW);
    const [counts] = newsOfKeys([key('phone', { ...long, enrolment: enrolled(NOW - 1) })], undefined, NOW);
    expect(counts).to.include({ keyId: 'phone', counts: true });
    expect(counts?.newsId).to.not.equal(registered?.newsId);
    expect(
      newsOfKeys([key('phone', long), key('laptop', { ...long, enrolment: enrolled(NOW - 30 * DAY) })], undefined, NOW),
    ).to.deep.equal([]);
  });
});
