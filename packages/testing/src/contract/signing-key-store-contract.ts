import type { NewSigningKey, SigningKeyStore, StoragePort } from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { expect } from 'chai';
import { deploy, runRecord, runWrite } from './storage-fixtures.js';

export interface SigningKeyStoreUnderTest {
  /** Two servers on the same, empty data. */
  readonly store: SigningKeyStore;
  readonly other: SigningKeyStore;
  /** Storage of the first server. */
  readonly storage: StoragePort;
  dispose(): Promise<void>;
}

const AT = 1_790_000_000_123;
let made = 0;

const BY_SIGN_IN = { method: 'sign_in', by: null, at: AT } as const;

const key = (overrides: Partial<NewSigningKey> = {}): NewSigningKey => ({
  keyId: `key-${(made += 1)}`,
  subject: 'ada',
  name: 'Laptop "\u001f"',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  proof: 'a.b.c',
  createdAt: AT,
  enrolment: BY_SIGN_IN,
  ...overrides,
});
const audit = (action: string, at = AT): AuditEntry => ({
  at,
  actor: { type: 'user', id: 'root', name: 'Root' },
  action,
  target: { type: 'signing_key', id: 'k' },
  result: 'ok',
  from: null,
  data: {},
});
const fresh = { countersignature: null, lastUsedAt: null, revokedAt: null, revokedBy: null };

/** Tests the contract of a signing key store. Must be called in a Mocha spec. */
export function describeSigningKeyStore(name: string, create: () => Promise<SigningKeyStoreUnderTest>): void {
  describe(`${name} as a SigningKeyStore`, () => {
    let subject: SigningKeyStoreUnderTest;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(() => subject.dispose());

    const actions = async () =>
      [...(await subject.storage.listAudit({}, 50))].sort((a, b) => a.seq - b.seq).map(({ action }) => action);
    const signedBy = (keyId: string, owner = 'ada') =>
      runWrite({ run: runRecord(), signingKey: { keyId, subject: owner } });

    it('should return the same server id on all servers', async () => {
      const ids = await Promise.all([subject.store.serverId(), subject.other.serverId(), subject.store.serverId()]);
      expect(new Set(ids).size).to.equal(1);
      expect(ids[0]).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });

    it('should return registered keys on every server, newest first', async () => {
      // given
      const [first, second, others] = [key(), key({ createdAt: AT + 1 }), key({ subject: 'bea' })];

      // when
      expect(await subject.store.registerKey(first, 5, audit('signing_key.register'))).to.eql({ ...first, ...fresh });
      for (const each of [second, others]) await subject.store.registerKey(each, 5, audit('signing_key.register'));

      // then
      const page = await subject.other.listKeys('ada', { limit: 1 });
      expect(page.items).to.eql([{ ...second, ...fresh }]);
      expect((await subject.other.listKeys('ada', { limit: 1, cursor: String(page.nextCursor) })).items).to.eql([
        { ...first, ...fresh },
      ]);
      expect(await subject.other.findKeys([others.keyId, 'none'])).to.eql([{ ...others, ...fresh }]);
      expect(await actions()).to.have.length(3);
    });

    it('should return the keys that changed since a time, for all users', async () => {
      // given
      const all = [
        key({ createdAt: AT - 2, enrolment: { ...BY_SIGN_IN, at: AT - 2 } }),
        key({ createdAt: AT - 2, enrolment: null }),
        key({ createdAt: AT - 2, enrolment: null, subject: 'bea' }),
        key({ subject: 'bea' }),
      ] as const;
      for (const each of all) await subject.store.registerKey(each, 5, audit('signing_key.register', each.createdAt));
      const [, enrolled, revoked, registered] = all;
      const changed = async (since: number) =>
        (await subject.other.listKeysChangedSince(since)).map(({ keyId }) => keyId).sort();
      expect(await changed(AT)).to.eql([registered.keyId]);

      // when
      await subject.store.enrolKey(
        enrolled.keyId,
        { method: 'admin', by: 'root', at: AT, countersignature: null },
        audit('signing_key.enrol'),
      );
      await subject.store.revokeKey(revoked.keyId, null, audit('signing_key.revoke'));

      // then
      expect(await changed(AT)).to.eql([enrolled.keyId, revoked.keyId, registered.keyId].sort());
      expect(await changed(AT + 1)).to.eql([]);
    });

    it('should keep the first registration of a key, even if another user registers the key', async () => {
      const first = key();
      const results = await Promise.all(
        ['ada', 'bea', 'ada', 'bea'].map((owner, index) =>
          (index < 2 ? subject.store : subject.other).registerKey(
            { ...first, subject: owner },
            5,
            audit('signing_key.register'),
          ),
        ),
      );
      const owners = new Set(results.map((result) => result !== 'crowded' && result.subject));
      expect(owners.size).to.equal(1);
      expect(await actions(), 'only the first registration is audited').to.eql(['signing_key.register']);
    });

    it('should limit the keys per user, even if several servers register concurrently', async () => {
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? subject.store : subject.other).registerKey(key(), 3, audit('signing_key.register')),
        ),
      );
      const taken = results.filter((result) => result !== 'crowded');
      expect(taken).to.have.length(3);
      await subject.store.revokeKey(String(taken[0]?.keyId), null, audit('signing_key.revoke'));
      expect(await subject.other.registerKey(key(), 3, audit('signing_key.register'))).to.not.equal('crowded');
    });

    it('should revoke a key only once and permanently', async () => {
      // given
      const mine = key();
      await subject.store.registerKey(mine, 5, audit('signing_key.register'));

      // when
      expect(
        await subject.other.revokeKey(mine.keyId, 'bea', audit('signing_key.revoke', AT + 1)),
        'of another',
      ).to.equal(undefined);
      const revoked = await subject.other.revokeKey(mine.keyId, 'ada', audit('signing_key.revoke', AT + 2));
      const again = await subject.store.revokeKey(mine.keyId, null, audit('signing_key.revoke', AT + 3));

      // then
      expect(revoked).to.eql({
        ...mine,
        countersignature: null,
        lastUsedAt: null,
        revokedAt: AT + 2,
        revokedBy: 'root',
      });
      expect(again).to.eql(revoked);
      expect(await subject.store.revokeKey('none', null, audit('signing_key.revoke'))).to.equal(undefined);
      expect(await subject.store.registerKey(mine, 5, audit('signing_key.register'))).to.eql(revoked);
      expect(await actions()).to.eql(['signing_key.register', 'signing_key.revoke']);
    });

    it('should enrol a key only once and permanently, even if two servers enrol it concurrently', async () => {
      // given
      const mine = key({ enrolment: null });
      expect(await subject.store.registerKey(mine, 5, audit('signing_key.register'))).to.eql({ ...mine, ...fresh });
      const byAdmin = (by: string) => ({ method: 'admin', by, at: AT + 1, countersignature: null }) as const;

      // when
      const results = await Promise.all([
        subject.store.enrolKey(mine.keyId, byAdmin('root'), audit('signing_key.enrol')),
        subject.other.enrolKey(mine.keyId, byAdmin('bea'), audit('signing_key.enrol')),
      ]);

      // then
      expect(results[0]).to.eql(results[1]).and.to.have.nested.property('enrolment.method', 'admin');
      expect(
        await subject.other.registerKey({ ...mine, enrolment: BY_SIGN_IN }, 5, audit('signing_key.register')),
        'again',
      ).to.eql(results[0]);
      expect(await subject.store.enrolKey('none', byAdmin('root'), audit('signing_key.enrol'))).to.equal(undefined);
      expect(await actions()).to.eql(['signing_key.register', 'signing_key.enrol']);
    });

    it('should enrol a key that its owner registers again with proof, but not a revoked or foreign key', async () => {
      const [mine, gone] = [key({ enrolment: null }), key({ enrolment: null })];
      for (const each of [mine, gone]) await subject.store.registerKey(each, 5, audit('signing_key.register'));
      await subject.store.revokeKey(gone.keyId, null, audit('signing_key.revoke'));
      const again = (which: NewSigningKey, owner: string) =>
        subject.other.registerKey(
          { ...which, subject: owner, enrolment: BY_SIGN_IN },
          5,
          audit('signing_key.register'),
        );
      expect(await again(mine, 'bea')).to.eql({ ...mine, ...fresh });
      expect(await again(mine, 'ada')).to.eql({ ...mine, ...fresh, enrolment: BY_SIGN_IN });
      expect(await again(gone, 'ada')).to.include({ enrolment: null });
      expect(
        await subject.store.enrolKey(
          gone.keyId,
          { method: 'admin', by: 'root', at: AT, countersignature: null },
          audit('signing_key.enrol'),
        ),
      ).to.include({ enrolment: null, revokedBy: 'root' });
    });

    it('should accept a countersignature only by an enrolled, unrevoked key of the same owner', async () => {
      // given
      const [good, pending, gone, others] = [key(), key({ enrolment: null }), key(), key({ subject: 'bea' })];
      for (const each of [good, pending, gone, others])
        await subject.store.registerKey(each, 5, audit('signing_key.register'));
      await subject.store.revokeKey(gone.keyId, null, audit('signing_key.revoke'));
      const mine = key({ enrolment: null });
      await subject.store.registerKey(mine, 5, audit('signing_key.register'));
      const by = (keyId: string) =>
        subject.other.enrolKey(
          mine.keyId,
          { method: 'countersignature', by: keyId, at: AT, countersignature: 'a.b.c' },
          audit('signing_key.enrol'),
        );

      // then
      for (const each of [pending, gone, others, { keyId: 'none' }, mine])
        expect(await by(each.keyId)).to.equal('no_countersigner');
      expect(await by(good.keyId)).to.deep.include({
        countersignature: 'a.b.c',
        enrolment: { method: 'countersignature', by: good.keyId, at: AT },
      });
    });

    it('should enrol a key before its countersigning key is revoked, or not at all', async () => {
      for (let count = 0; count < 10; count += 1) {
        const [old, mine] = [key(), key({ enrolment: null })];
        for (const each of [old, mine]) await subject.store.registerKey(each, 50, audit('signing_key.register'));
        const [result] = await Promise.all([
          subject.store.enrolKey(
            mine.keyId,
            { method: 'countersignature', by: old.keyId, at: AT, countersignature: 'a.b.c' },
            audit('signing_key.enrol'),
          ),
          subject.other.revokeKey(old.keyId, null, audit('signing_key.revoke')),
        ]);
        const [kept] = await subject.store.findKeys([mine.keyId]);
        expect(kept?.enrolment === null).to.equal(result === 'no_countersigner');
      }
    });

    it('should commit a signed write only with an enrolled, unrevoked key of the signer, and record its use', async () => {
      // given
      await deploy(subject.storage);
      const [good, gone, pending] = [key(), key(), key({ enrolment: null })];
      for (const each of [good, gone, pending]) await subject.store.registerKey(each, 5, audit('signing_key.register'));
      await subject.other.revokeKey(gone.keyId, null, audit('signing_key.revoke'));
      const writes = [
        signedBy(good.keyId),
        signedBy(gone.keyId),
        signedBy(good.keyId, 'bea'),
        signedBy('none'),
        signedBy(pending.keyId),
        signedBy(good.keyId),
        runWrite({ run: runRecord() }),
      ];

      // when
      const results = await subject.storage.commit(writes);

      // then
      expect(results).to.eql(['committed', 'revoked', 'revoked', 'revoked', 'revoked', 'committed', 'committed']);
      expect((await subject.storage.loadRuns(writes.map(({ run }) => run.runId))).size).to.equal(3);
      const [used, unused] = await Promise.all(
        [good, gone].map(async ({ keyId }) => (await subject.store.findKeys([keyId]))[0]),
      );
      expect(used?.lastUsedAt).to.equal(Math.max(...[writes[0], writes[5]].map((write) => write?.run.updatedAt ?? 0)));
      expect(unused?.lastUsedAt).to.equal(null);
    });

    it('should commit a signed write before the key is revoked, or not at all', async () => {
      await deploy(subject.storage);
      for (let count = 0; count < 20; count += 1) {
        const mine = key();
        await subject.store.registerKey(mine, 5, audit('signing_key.register'));
        const write = signedBy(mine.keyId);
        const [[result], revoked] = await Promise.all([
          subject.storage.commit([write]),
          subject.other.revokeKey(mine.keyId, null, audit('signing_key.revoke')),
        ]);
        // The result of the revocation includes every use that will ever exist.
        expect(revoked?.lastUsedAt).to.equal(result === 'committed' ? write.run.updatedAt : null);
        expect((await subject.store.findKeys([mine.keyId]))[0]).to.eql(revoked);
      }
    });
  });
}
