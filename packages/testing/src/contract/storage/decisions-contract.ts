import type { DmnDeployment, DmnDecisionVersionRecord, StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import { createAuditEntry, requireValue, createRunRecord, createRunWrite } from '../storage-fixtures.js';

type DecisionVersion = DmnDeployment['decisions'][number]['version'];

const createDecisionVersion = (overrides: Partial<DmnDecisionVersionRecord> = {}): DecisionVersion => ({
  decisionId: 'risk',
  digest: 'sha256:first',
  name: 'Risk',
  decisionType: 'decisionTable',
  requiredDecisions: [],
  decisionRequirementsId: 'release',
  deployedAt: 1_000,
  deployedBy: 'ada',
  ...overrides,
});

/** Returns a DMN file with decisions of these ids. */
function createDmnFile(digest: string, decisionIds: readonly string[], deployedAt = 1_000): DmnDeployment {
  const versions = decisionIds.map((decisionId) => createDecisionVersion({ decisionId, digest, deployedAt }));
  const audit = createAuditEntry({ action: 'decision.deploy', target: { type: 'decision', id: 'risk' } });
  return {
    digest,
    dmnXml: `<definitions id="${digest}"/>`,
    decisions: versions.map((version) => ({ version, audit })),
  };
}

const getVersionLabels = (saved: Awaited<ReturnType<StoragePort['saveDecisions']>>) =>
  saved.decisions.map(({ decisionId, version }) => `${decisionId}${version}`);

export function describeDecisions(getStorage: StorageGetter): void {
  describe('DMN decisions', () => {
    it('should return the existing versions for the same file, and the next version of each DMN decision otherwise', async () => {
      // given
      const { storage } = getStorage();
      const [first, second] = [
        createDmnFile('sha256:first', ['risk', 'fee']),
        createDmnFile('sha256:second', ['fee', 'due'], 2_000),
      ];

      // when
      const saved = [
        await storage.saveDecisions(first),
        await storage.saveDecisions(second),
        await storage.saveDecisions(first),
      ];

      // then
      expect(saved.map(({ created }) => created)).to.eql([true, true, false]);
      expect(saved.map(getVersionLabels)).to.eql([
        ['risk1', 'fee1'],
        ['fee2', 'due1'],
        ['risk1', 'fee1'],
      ]);
      expect(saved[0]?.decisions[0]).to.eql({ ...createDecisionVersion(), version: 1 });
      const audited = await storage.listAudit({}, 10);
      expect(audited.map(({ action, data }) => [action, data['version']])).to.have.deep.members([
        ['decision.deploy', 1],
        ['decision.deploy', 1],
        ['decision.deploy', 2],
        ['decision.deploy', 1],
      ]);
    });

    it('should find versions with their file, and the newest versions of several DMN decisions', async () => {
      // given
      const { storage } = getStorage();
      const fileWithRequirements = createDmnFile('sha256:second', ['risk'], 2_000);
      const [onlyDecision] = fileWithRequirements.decisions;
      await storage.saveDecisions(createDmnFile('sha256:first', ['risk', 'fee']));
      await storage.saveDecisions({
        ...fileWithRequirements,
        decisions: [
          {
            ...requireValue(onlyDecision),
            version: {
              ...requireValue(onlyDecision).version,
              decisionType: 'literalExpression',
              requiredDecisions: ['a', 'b'],
            },
          },
        ],
      });

      // when
      const newest = await storage.findNewestDecisions(['risk', 'none', 'fee', 'ri\0sk']);

      // then
      expect(
        [...newest.values()].map(({ decisionId, version, digest }) => [decisionId, version, digest]),
      ).to.have.deep.members([
        ['risk', 2, 'sha256:second'],
        ['fee', 1, 'sha256:first'],
      ]);
      expect(await storage.findDecisionVersion('risk')).to.include({
        version: 2,
        decisionType: 'literalExpression',
        dmnXml: '<definitions id="sha256:second"/>',
      });
      expect(await storage.findDecisionVersion('risk')).to.deep.include({ requiredDecisions: ['a', 'b'] });
      expect(await storage.findDecisionVersion('risk', 1)).to.eql({
        ...createDecisionVersion(),
        version: 1,
        dmnXml: '<definitions id="sha256:first"/>',
      });
      expect(await storage.findDecisionFile('sha256:first')).to.equal('<definitions id="sha256:first"/>');
      expect((await storage.listDecisionVersions('risk')).map(({ version }) => version)).to.eql([2, 1]);
      for (const missingResult of [
        storage.findDecisionVersion('risk', 3),
        storage.findDecisionVersion('none'),
        storage.findDecisionVersion('risk', 1e10),
        storage.findDecisionFile('none'),
      ]) {
        expect(await missingResult).to.equal(undefined);
      }
    });

    it('should number concurrent deployments consecutively', async () => {
      // given
      const { storage, other } = getStorage();
      const digests = Array.from({ length: 8 }, (_, index) => `sha256:${index}`);

      // when
      const saved = await Promise.all(
        [...digests, ...digests].map((digest, index) =>
          (index % 2 === 0 ? storage : other).saveDecisions(createDmnFile(digest, ['risk', 'fee'])),
        ),
      );

      // then
      expect(saved.filter(({ created }) => created)).to.have.length(8);
      for (const decisionId of ['risk', 'fee'])
        expect((await storage.listDecisionVersions(decisionId)).map(({ version }) => version)).to.eql([
          8, 7, 6, 5, 4, 3, 2, 1,
        ]);
      expect(await storage.listAudit({}, 100)).to.have.length(16);
    });

    it('should list the newest version of each DMN decision, last deployed first', async () => {
      // given
      const { storage } = getStorage();
      await storage.saveDecisions(createDmnFile('sha256:1', ['a', 'b'], 1_000));
      await storage.saveDecisions(createDmnFile('sha256:2', ['c'], 2_000));
      await storage.saveDecisions(createDmnFile('sha256:3', ['a'], 3_000));

      // when
      const first = await storage.listDecisions({ limit: 2 });
      const second = await storage.listDecisions({ limit: 2, cursor: requireValue(first.nextCursor) });

      // then
      expect([...first.items, ...second.items].map(({ decisionId, version }) => `${decisionId}${version}`)).to.eql([
        'a2',
        'c1',
        'b1',
      ]);
      expect(second.nextCursor).to.equal(null);
    });

    it('should commit a write only if its DMN decisions are the newest, without affecting the rest of the batch', async () => {
      // given
      const { storage, other } = getStorage();
      await storage.saveDecisions(createDmnFile('sha256:first', ['risk', 'fee']));
      await other.saveDecisions(createDmnFile('sha256:second', ['risk']));
      const versionsByWrite = [
        [
          ['risk', 2],
          ['fee', 1],
        ],
        [
          ['risk', 1],
          ['fee', 1],
        ],
        [['risk', 0]],
        [['none', 0]],
        [['none', 1]],
        [],
      ] as const;
      const writes = versionsByWrite.map((usedVersions) =>
        createRunWrite({
          run: createRunRecord(),
          decisionsUsed: usedVersions.map(([decisionId, version]) => ({ decisionId, version })),
        }),
      );

      // when
      const results = await storage.commit(writes);

      // then
      expect(results).to.eql(['committed', 'outdated', 'outdated', 'committed', 'outdated', 'committed']);
    });

    it('should refuse a later write of a run whose DMN decisions are not the newest', async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run })]);
      const commitWithVersion = (version: number) =>
        storage.commit([createRunWrite({ run, revision: 1, decisionsUsed: [{ decisionId: 'risk', version }] })]);

      // when
      const results = [await commitWithVersion(1), await commitWithVersion(0), await commitWithVersion(0)];

      // then
      expect(results).to.eql([['outdated'], ['committed'], ['conflict']]);
    });
  });
}
