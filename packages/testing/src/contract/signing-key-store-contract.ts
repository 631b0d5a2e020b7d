import type { NewSigningKey, SigningKeyStore, StoragePort } from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { expect } from 'chai';
import { deploy, createRunRecord, createRunWrite } from './storage-fixtures.js';

export interface SigningKeyStoreUnderTest {
  /** The stores of two servers that share the same data, initially empty. */
  readonly store: SigningKeyStore;
  readonly other: SigningKeyStore;
  /** Storage of the first server. */
  readonly storage: StoragePort;
  dispose(): Promise<void>;
}

const CREATED_AT = 1_790_000_000_123;
let keyCount = 0;

const SIGN_IN_ENROLMENT = { method: 'sign_in', by: null, at: CREATED_AT } as const;

const createKey = (overrides: Partial<NewSigningKey> = {}): NewSigningKey => ({
  keyId: `key-${(keyCount += 1)}`,
  subject: 'ada',
  name: 'Laptop "\u001f"',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  proof: 'a.b.c',
  createdAt: CREATED_AT,
  enrolment: SIGN_IN_ENROLMENT,
  ...overrides,
});
const createAuditEntry = (action: string, at = CREATED_AT): AuditEntry => ({
  at,
  actor: { type: 'user', id: 'root', name: 'Root' },
  action,
  target: { type: 'signing_key', id: 'k' },
  result: 'ok',
  from: null,
  data: {},
});
const UNUSED_KEY_FIELDS = { countersignature: null, lastUsedAt: null, revokedAt: null, revokedBy: null };

/** Tests the contract of a signing key store. Must be called in a Mocha spec. */
export function describeSigningKeyStore(name: string, create: () => Promise<SigningKeyStoreUnderTest>): void {
  describe(`${name} as a SigningKeyStore`, () => {
    let subject: SigningKeyStoreUnderTest;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(() => subject.dispose());

    const listActions = async () =>
      [...(await subject.storage.listAudit({}, 50))].sort((a, b) => a.seq - b.seq).map(({ action }) => action);
    const createSignedWrite = (keyId: string, owner = 'ada') =>
      createRunWrite({ run: createRunRecord(), signingKey: { keyId, subject: owner } });

    it('should return the same server id on all servers', async () => {
      const ids = await Promise.all([
        subject.store.getServerId(),
        subject.other.getServerId(),
        subject.store.getServerId(),
      ]);
      expect(new Set(ids).size).to.equal(1);
      expect(ids[0]).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });

    it('should return registered keys on every server, newest first', async () => {
      // given
      const [first, second, otherUserKey] = [
        createKey(),
        createKey({ createdAt: CREATED_AT + 1 }),
        createKey({ subject: 'bea' }),
      ];

      // when
      expect(await subject.store.registerKey(first, 5, createAuditEntry('signing_key.register'))).to.eql({
        ...first,
        ...UNUSED_KEY_FIELDS,
      });
      for (const each of [second, otherUserKey])
        await subject.store.registerKey(each, 5, createAuditEntry('signing_key.register'));

      // then
      const page = await subject.other.listKeys('ada', { limit: 1 });
      expect(page.items).to.eql([{ ...second, ...UNUSED_KEY_FIELDS }]);
      expect((await subject.other.listKeys('ada', { limit: 1, cursor: String(page.nextCursor) })).items).to.eql([
        { ...first, ...UNUSED_KEY_FIELDS },
      ]);
      expect(await subject.other.findKeys([otherUserKey.keyId, 'none'])).to.eql([
        { ...otherUserKey, ...UNUSED_KEY_FIELDS },
      ]);
      expect(await listActions()).to.have.length(3);
    });

    it('should return the keys that changed since a time, for all users', async () => {
      // given
      const all = [
        createKey({ createdAt: CREATED_AT - 2, enrolment: { ...SIGN_IN_ENROLMENT, at: CREATED_AT - 2 } }),
        createKey({ createdAt: CREATED_AT - 2, enrolment: null }),
        createKey({ createdAt: CREATED_AT - 2, enrolment: null, subject: 'bea' }),
        createKey({ subject: 'bea' }),
      ] as const;
      for (const each of all)
        await subject.store.registerKey(each, 5, createAuditEntry('signing_key.register', each.createdAt));
      const [, enrolled, revoked, registered] = all;
      const listChanged = async (since: number) =>
        (await subject.other.listKeysChangedSince(since)).map(({ keyId }) => keyId).sort();
      expect(await listChanged(CREATED_AT)).to.eql([registered.keyId]);

      // when
      await subject.store.enrolKey(
        enrolled.keyId,
        { method: 'admin', by: 'root', at: CREATED_AT, countersignature: null },
        createAuditEntry('signing_key.enrol'),
      );
      await subject.store.revokeKey(revoked.keyId, null, createAuditEntry('signing_key.revoke'));

      // then
      expect(await listChanged(CREATED_AT)).to.eql([enrolled.keyId, revoked.keyId, registered.keyId].sort());
      expect(await listChanged(CREATED_AT + 1)).to.eql([]);
    });

    it('should keep the first registration of a key, even if another user registers the key', async () => {
      const first = createKey();
      const results = await Promise.all(
        ['ada', 'bea', 'ada', 'bea'].map((owner, index) =>
          (index < 2 ? subject.store : subject.other).registerKey(
            { ...first, subject: owner },
            5,
            createAuditEntry('signing_key.register'),
          ),
        ),
      );
      const owners = new Set(results.map((result) => result !== 'crowded' && result.subject));
      expect(owners.size).to.equal(1);
      expect(await listActions(), 'only the first registration is audited').to.eql(['signing_key.register']);
    });

    it('should limit the keys per user, even if several servers register concurrently', async () => {
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? subject.store : subject.other).registerKey(
            createKey(),
            3,
            createAuditEntry('signing_key.register'),
          ),
        ),
      );
      const registeredKeys = results.filter((result) => result !== 'crowded');
      expect(registeredKeys).to.have.length(3);
      await subject.store.revokeKey(String(registeredKeys[0]?.keyId), null, createAuditEntry('signing_key.revoke'));
      expect(await subject.other.registerKey(createKey(), 3, createAuditEntry('signing_key.register'))).to.not.equal(
        'crowded',
      );
    });

    it('should revoke a key only once and permanently', async () => {
      // given
      const ownKey = createKey();
      await subject.store.registerKey(ownKey, 5, createAuditEntry('signing_key.register'));

      // when
      expect(
        await subject.other.revokeKey(ownKey.keyId, 'bea', createAuditEntry('signing_key.revoke', CREATED_AT + 1)),
        'by another user',
      ).to.equal(undefined);
      const revoked = await subject.other.revokeKey(
        ownKey.keyId,
        'ada',
        createAuditEntry('signing_key.revoke', CREATED_AT + 2),
      );
      const repeatedRevocation = await subject.store.revokeKey(
        ownKey.keyId,
        null,
        createAuditEntry('signing_key.revoke', CREATED_AT + 3),
      );

      // then
      expect(revoked).to.eql({
        ...ownKey,
        countersignature: null,
        lastUsedAt: null,
        revokedAt: CREATED_AT + 2,
        revokedBy: 'root',
      });
      expect(repeatedRevocation).to.eql(revoked);
      expect(await subject.store.revokeKey('none', null, createAuditEntry('signing_key.revoke'))).to.equal(undefined);
      expect(await subject.store.registerKey(ownKey, 5, createAuditEntry('signing_key.register'))).to.eql(revoked);
      expect(await listActions()).to.eql(['signing_key.register', 'signing_key.revoke']);
    });

    it('should enrol a key only once and permanently, even if two servers enrol it concurrently', async () => {
      // given
      const ownKey = createKey({ enrolment: null });
      expect(await subject.store.registerKey(ownKey, 5, createAuditEntry('signing_key.register'))).to.eql({
        ...ownKey,
        ...UNUSED_KEY_FIELDS,
      });
      const adminEnrolment = (by: string) =>
        ({ method: 'admin', by, at: CREATED_AT + 1, countersignature: null }) as const;

      // when
      const results = await Promise.all([
        subject.store.enrolKey(ownKey.keyId, adminEnrolment('root'), createAuditEntry('signing_key.enrol')),
        subject.other.enrolKey(ownKey.keyId, adminEnrolment('bea'), createAuditEntry('signing_key.enrol')),
      ]);

      // then
      expect(results[0]).to.eql(results[1]).and.to.have.nested.property('enrolment.method', 'admin');
      expect(
        await subject.other.registerKey(
          { ...ownKey, enrolment: SIGN_IN_ENROLMENT },
          5,
          createAuditEntry('signing_key.register'),
        ),
        'again',
      ).to.eql(results[0]);
      expect(
        await subject.store.enrolKey('none', adminEnrolment('root'), createAuditEntry('signing_key.enrol')),
      ).to.equal(undefined);
      expect(await listActions()).to.eql(['signing_key.register', 'signing_key.enrol']);
    });

    it('should enrol a key that its owner registers again with proof, but not a revoked or foreign key', async () => {
      const [ownKey, revokedKey] = [createKey({ enrolment: null }), createKey({ enrolment: null })];
      for (const each of [ownKey, revokedKey])
        await subject.store.registerKey(each, 5, createAuditEntry('signing_key.register'));
      await subject.store.revokeKey(revokedKey.keyId, null, createAuditEntry('signing_key.revoke'));
      const registerAgain = (key: NewSigningKey, owner: string) =>
        subject.other.registerKey(
          { ...key, subject: owner, enrolment: SIGN_IN_ENROLMENT },
          5,
          createAuditEntry('signing_key.register'),
        );
      expect(await registerAgain(ownKey, 'bea')).to.eql({ ...ownKey, ...UNUSED_KEY_FIELDS });
      expect(await registerAgain(ownKey, 'ada')).to.eql({
        ...ownKey,
        ...UNUSED_KEY_FIELDS,
        enrolment: SIGN_IN_ENROLMENT,
      });
      expect(await registerAgain(revokedKey, 'ada')).to.include({ enrolment: null });
      expect(
        await subject.store.enrolKey(
          revokedKey.keyId,
          { method: 'admin', by: 'root', at: CREATED_AT, countersignature: null },
          createAuditEntry('signing_key.enrol'),
        ),
      ).to.include({ enrolment: null, revokedBy: 'root' });
    });

    it('should accept a countersignature only by an enrolled, unrevoked key of the same owner', async () => {
      // given
      const [usableKey, pendingKey, revokedKey, otherUserKey] = [
        createKey(),
        createKey({ enrolment: null }),
        createKey(),
        createKey({ subject: 'bea' }),
      ];
      for (const each of [usableKey, pendingKey, revokedKey, otherUserKey])
        await subject.store.registerKey(each, 5, createAuditEntry('signing_key.register'));
      await subject.store.revokeKey(revokedKey.keyId, null, createAuditEntry('signing_key.revoke'));
      const ownKey = createKey({ enrolment: null });
      await subject.store.registerKey(ownKey, 5, createAuditEntry('signing_key.register'));
      const countersignWith = (keyId: string) =>
        subject.other.enrolKey(
          ownKey.keyId,
          { method: 'countersignature', by: keyId, at: CREATED_AT, countersignature: 'a.b.c' },
          createAuditEntry('signing_key.enrol'),
        );

      // then
      for (const each of [pendingKey, revokedKey, otherUserKey, { keyId: 'none' }, ownKey])
        expect(await countersignWith(each.keyId)).to.equal('no_countersigner');
      expect(await countersignWith(usableKey.keyId)).to.deep.include({
        countersignature: 'a.b.c',
        enrolment: { method: 'countersignature', by: usableKey.keyId, at: CREATED_AT },
      });
    });

    it('should enrol a key before its countersigning key is revoked, or not at all', async () => {
      for (let count = 0; count < 10; count += 1) {
        const [oldKey, ownKey] = [createKey(), createKey({ enrolment: null })];
        for (const each of [oldKey, ownKey])
          await subject.store.registerKey(each, 50, createAuditEntry('signing_key.register'));
        const [result] = await Promise.all([
          subject.store.enrolKey(
            ownKey.keyId,
            { method: 'countersignature', by: oldKey.keyId, at: CREATED_AT, countersignature: 'a.b.c' },
            createAuditEntry('signing_key.enrol'),
          ),
          subject.other.revokeKey(oldKey.keyId, null, createAuditEntry('signing_key.revoke')),
        ]);
        const [storedKey] = await subject.store.findKeys([ownKey.keyId]);
        expect(storedKey?.enrolment === null).to.equal(result === 'no_countersigner');
      }
    });

    it('should commit a signed write only with an enrolled, unrevoked key of the signer, and record its use', async () => {
      // given
      await deploy(subject.storage);
      const [usableKey, revokedKey, pendingKey] = [createKey(), createKey(), createKey({ enrolment: null })];
      for (const each of [usableKey, revokedKey, pendingKey])
        await subject.store.registerKey(each, 5, createAuditEntry('signing_key.register'));
      await subject.other.revokeKey(revokedKey.keyId, null, createAuditEntry('signing_key.revoke'));
      const writes = [
        createSignedWrite(usableKey.keyId),
        createSignedWrite(revokedKey.keyId),
        createSignedWrite(usableKey.keyId, 'bea'),
        createSignedWrite('none'),
        createSignedWrite(pendingKey.keyId),
        createSignedWrite(usableKey.keyId),
        createRunWrite({ run: createRunRecord() }),
      ];

      // when
      const results = await subject.storage.commit(writes);

      // then
      expect(results).to.eql(['committed', 'revoked', 'revoked', 'revoked', 'revoked', 'committed', 'committed']);
      expect((await subject.storage.loadRuns(writes.map(({ run }) => run.runId))).size).to.equal(3);
      const [usedKey, unusedKey] = await Promise.all(
        [usableKey, revokedKey].map(async ({ keyId }) => (await subject.store.findKeys([keyId]))[0]),
      );
      expect(usedKey?.lastUsedAt).to.equal(
        Math.max(...[writes[0], writes[5]].map((write) => write?.run.updatedAt ?? 0)),
      );
      expect(unusedKey?.lastUsedAt).to.equal(null);
    });

    it('should commit a signed write before the key is revoked, or not at all', async () => {
      await deploy(subject.storage);
      for (let count = 0; count < 20; count += 1) {
        const ownKey = createKey();
        await subject.store.registerKey(ownKey, 5, createAuditEntry('signing_key.register'));
        const write = createSignedWrite(ownKey.keyId);
        const [[result], revoked] = await Promise.all([
          subject.storage.commit([write]),
          subject.other.revokeKey(ownKey.keyId, null, createAuditEntry('signing_key.revoke')),
        ]);
        // The revoked key includes its last use, because no signed write is committed after the revocation.
        expect(revoked?.lastUsedAt).to.equal(result === 'committed' ? write.run.updatedAt : null);
        expect((await subject.store.findKeys([ownKey.keyId]))[0]).to.eql(revoked);
      }
    });
  });
}
