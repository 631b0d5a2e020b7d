import type { AuditEntry, NewSigningKey, SigningKeyStore, StoragePort } from '@countersign/core/plugin';
import { expect } from 'chai';
import { deploy, runRecord, runWrite } from './storage-fixtures.js';

export interface SigningKeyStoreUnderTest {
  /** Two servers on the same, empty data. */
  readonly store: SigningKeyStore;
  readonly other: SigningKeyStore;
  /** Of the first one. */
  readonly storage: StoragePort;
  dispose(): Promise<void>;
}

const AT = 1_790_000_000_123;
let made = 0;

const key = (overrides: Partial<NewSigningKey> = {}): NewSigningKey => ({
  keyId: `key-${(made += 1)}`,
  subject: 'ada',
  name: 'Laptop "\u001f"',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  proof: 'a.b.c',
  createdAt: AT,
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
const fresh = { lastUsedAt: null, revokedAt: null, revokedBy: null };

/** What every store of signing keys must do. To be called in a Mocha spec. */
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

    it('should have one id on all servers', async () => {
      const ids = await Promise.all([subject.store.serverId(), subject.other.serverId(), subject.store.serverId()]);
      expect(new Set(ids).size).to.equal(1);
      expect(ids[0]).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });

    it('should give back what was registered, on every server, newest first', async () => {
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

    it('should keep what was registered first, whoever registers it again', async () => {
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
      expect(await actions(), 'and tell of that one').to.eql(['signing_key.register']);
    });

    it('should take no more than may be, also of several servers at once', async () => {
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

    it('should revoke a key once, and for ever', async () => {
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
      expect(revoked).to.eql({ ...mine, lastUsedAt: null, revokedAt: AT + 2, revokedBy: 'root' });
      expect(again).to.eql(revoked);
      expect(await subject.store.revokeKey('none', null, audit('signing_key.revoke'))).to.equal(undefined);
      expect(await subject.store.registerKey(mine, 5, audit('signing_key.register'))).to.eql(revoked);
      expect(await actions()).to.eql(['signing_key.register', 'signing_key.revoke']);
    });

    it('should let a commit stand only by keys that are their owner’s and not revoked, and note their use', async () => {
      // given
      await deploy(subject.storage);
      const [good, gone] = [key(), key()];
      for (const each of [good, gone]) await subject.store.registerKey(each, 5, audit('signing_key.register'));
      await subject.other.revokeKey(gone.keyId, null, audit('signing_key.revoke'));
      const writes = [
        signedBy(good.keyId),
        signedBy(gone.keyId),
        signedBy(good.keyId, 'bea'),
        signedBy('none'),
        signedBy(good.keyId),
        runWrite({ run: runRecord() }),
      ];

      // when
      const results = await subject.storage.commit(writes);

      // then
      expect(results).to.eql(['committed', 'revoked', 'revoked', 'revoked', 'committed', 'committed']);
      expect((await subject.storage.loadRuns(writes.map(({ run }) => run.runId))).size).to.equal(3);
      const [used, unused] = await Promise.all(
        [good, gone].map(async ({ keyId }) => (await subject.store.findKeys([keyId]))[0]),
      );
      expect(used?.lastUsedAt).to.equal(Math.max(...[writes[0], writes[4]].map((write) => write?.run.updatedAt ?? 0)));
      expect(unused?.lastUsedAt).to.equal(null);
    });

    it('should have every commit stand before a revocation or not at all', async () => {
      await deploy(subject.storage);
      for (let count = 0; count < 20; count += 1) {
        const mine = key();
        await subject.store.registerKey(mine, 5, audit('signing_key.register'));
        const write = signedBy(mine.keyId);
        const [[result], revoked] = await Promise.all([
          subject.storage.commit([write]),
          subject.other.revokeKey(mine.keyId, null, audit('signing_key.revoke')),
        ]);
        // What the revocation answers has seen each use there ever will be.
        expect(revoked?.lastUsedAt).to.equal(result === 'committed' ? write.run.updatedAt : null);
        expect((await subject.store.findKeys([mine.keyId]))[0]).to.eql(revoked);
      }
    });
  });
}
