import type { SettingsChange, StoredSecret } from '@countersign/core/ports';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import { createAuditEntry } from '../storage-fixtures.js';

const createSecret = (ciphertext: string): StoredSecret => ({
  current: { keyId: 'k', nonce: 'n', ciphertext },
  previous: { text: { keyId: 'k', nonce: 'm', ciphertext: 'old' }, validUntil: 1_700_000_000_123 },
  rotatedAt: 1_700_000_000_000,
});
const createChange = (expectedRevision: number, overrides: Partial<SettingsChange>): SettingsChange => ({
  expectedRevision,
  put: [],
  remove: [],
  audit: [],
  ...overrides,
});

export function describeSettings(getStorage: StorageGetter): void {
  describe('settings', () => {
    it('should be empty at first and return stored settings unchanged', async () => {
      const { storage, other } = getStorage();
      expect(await storage.loadSettings()).to.eql({ revision: 0, settings: [] });
      const put = [
        { key: 'B:List', value: [{ Id: 'ü', n: 1.5 }, null, false], secret: null },
        { key: 'A:Secret', value: null, secret: createSecret('c') },
        { key: 'C:Text', value: '', secret: null },
      ];

      expect(await storage.changeSettings(createChange(0, { put }))).to.equal('changed');

      expect(await other.settingsRevision()).to.equal(1);
      expect(await other.loadSettings()).to.eql({
        revision: 1,
        settings: [
          { ...put[1], revision: 1 },
          { ...put[0], revision: 1 },
          { ...put[2], revision: 1 },
        ],
      });
    });

    it('should overwrite and remove settings, and record the revision of each change', async () => {
      const { storage } = getStorage();
      await storage.changeSettings(
        createChange(0, { put: ['A', 'B', 'C'].map((key) => ({ key, value: 1, secret: null })) }),
      );

      await storage.changeSettings(
        createChange(1, { put: [{ key: 'B', value: null, secret: createSecret('s') }], remove: ['C', 'not there'] }),
      );

      expect((await storage.loadSettings()).settings).to.eql([
        { key: 'A', value: 1, secret: null, revision: 1 },
        { key: 'B', value: null, secret: createSecret('s'), revision: 2 },
      ]);
    });

    it('should apply only one of several concurrent changes to the same revision, with its audit entries', async () => {
      const { storage, other } = getStorage();
      const attempts = Array.from({ length: 8 }, (_, n) =>
        (n % 2 === 0 ? storage : other).changeSettings(
          createChange(0, {
            put: [{ key: `K${n}`, value: n, secret: null }],
            audit: [createAuditEntry({ action: 'setting.change', target: { n } })],
          }),
        ),
      );

      const results = await Promise.all(attempts);

      expect(results.filter((result) => result === 'changed')).to.have.length(1);
      const { revision, settings } = await storage.loadSettings();
      const winner = results.indexOf('changed');
      expect({ revision, keys: settings.map(({ key }) => key) }).to.eql({ revision: 1, keys: [`K${winner}`] });
      expect((await storage.listAudit({}, 10)).map(({ target }) => target['n'])).to.eql([winner]);
    });

    it('should apply no part of a change if one value cannot be stored', async () => {
      const { storage } = getStorage();

      const failure = await storage
        .changeSettings(
          createChange(0, {
            put: [
              { key: 'A', value: 1, secret: null },
              { key: 'B', value: 'a\u0000b', secret: null },
            ],
          }),
        )
        .catch((error: unknown) => error);

      expect(failure).to.be.instanceOf(Error);
      expect(await storage.loadSettings()).to.eql({ revision: 0, settings: [] });
    });
  });
}
