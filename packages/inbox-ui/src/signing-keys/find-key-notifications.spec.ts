import type { SigningKey } from '@countersign/contract';
import { expect } from 'chai';
import { findKeyNotifications } from './find-key-notifications.js';

const NOW = Date.parse('2026-11-23T10:00:00.000Z');
const DAY = 86_400_000;

const createKey = (keyId: string, fields: Partial<SigningKey> = {}): SigningKey => ({
  keyId,
  subject: 'ada',
  name: 'Phone',
  publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'x' },
  createdAt: new Date(NOW - DAY).toISOString(),
  enrolment: null,
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
  ...fields,
});
const createEnrolment = (at: number): SigningKey['enrolment'] => ({
  method: 'sign_in',
  by: null,
  at: new Date(at).toISOString(),
});

describe('findKeyNotifications', () => {
  it('should report only keys of other devices that are not revoked', () => {
    const keys = [
      createKey('phone'),
      createKey('here'),
      createKey('revoked', { revokedAt: new Date(NOW).toISOString(), revokedBy: 'ada' }),
    ];
    expect(findKeyNotifications(keys, 'here', NOW).map(({ keyId, isEnrolled }) => [keyId, isEnrolled])).to.deep.equal([
      ['phone', false],
    ]);
  });

  it('should report a key again when it is enrolled, and report no old keys', () => {
    const oldKeyFields = { createdAt: new Date(NOW - 30 * DAY).toISOString() };
    const [registered] = findKeyNotifications([createKey('phone')], undefined, NOW);
    const [enrolled] = findKeyNotifications(
      [createKey('phone', { ...oldKeyFields, enrolment: createEnrolment(NOW - 1) })],
      undefined,
      NOW,
    );
    expect(enrolled).to.include({ keyId: 'phone', isEnrolled: true });
    expect(enrolled?.notificationId).to.not.equal(registered?.notificationId);
    expect(
      findKeyNotifications(
        [
          createKey('phone', oldKeyFields),
          createKey('laptop', { ...oldKeyFields, enrolment: createEnrolment(NOW - 30 * DAY) }),
        ],
        undefined,
        NOW,
      ),
    ).to.deep.equal([]);
  });
});
