import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import { createAuditEntry, requireValue, saveVersion, createWorkflowVersion } from '../storage-fixtures.js';

export function describeWorkflows(getStorage: StorageGetter): void {
  describe('workflows', () => {
    const audit = createAuditEntry({ action: 'workflow.deploy', target: { type: 'workflow', id: 'release' } });

    it('should return the existing version for the same file and a new version for another file', async () => {
      const { storage } = getStorage();
      const [first, second] = [
        createWorkflowVersion(),
        createWorkflowVersion({ digest: 'sha256:second', bpmnXml: '<other/>', inputSchema: null, deployedAt: 5 }),
      ];

      expect(await saveVersion(storage, first, audit)).to.eql({ version: { ...first, version: 1 }, created: true });
      expect(await saveVersion(storage, second, audit)).to.eql({ version: { ...second, version: 2 }, created: true });
      expect(await saveVersion(storage, { ...first, deployedBy: 'bob' }, audit)).to.eql({
        version: { ...first, version: 1 },
        created: false,
      });

      expect(await storage.findWorkflowVersion('release')).to.eql({ ...second, version: 2 });
      expect(await storage.findWorkflowVersion('release', 1)).to.eql({ ...first, version: 1 });
      expect(await storage.findWorkflowVersionByDigest('release', 'sha256:second')).to.eql({ ...second, version: 2 });
      expect(await storage.findWorkflowVersion('release', 3)).to.equal(undefined);
      expect(await storage.findWorkflowVersionByDigest('release', 'sha256:none')).to.equal(undefined);
      const { bpmnXml: _first, ...firstSummary } = first;
      const { bpmnXml: _second, ...secondSummary } = second;
      expect(await storage.listWorkflowVersions('release')).to.eql([
        { ...secondSummary, version: 2 },
        { ...firstSummary, version: 1 },
      ]);
      const auditEvents = await storage.listAudit({}, 10);
      expect(auditEvents.map(({ action, seq, data }) => [action, seq, data['version']])).to.have.deep.members(
        [1, 2].map((version) => ['workflow.deploy', version, version]),
      );
    });

    it('should number concurrent deployments consecutively', async () => {
      const { storage, other } = getStorage();
      const digests = Array.from({ length: 8 }, (_, index) => `sha256:${index}`);

      const saved = await Promise.all(
        [...digests, ...digests].map((digest, index) =>
          saveVersion(index % 2 === 0 ? storage : other, createWorkflowVersion({ digest }), audit),
        ),
      );

      expect(
        saved
          .filter(({ created }) => created)
          .map(({ version }) => version.version)
          .sort(),
      ).to.eql([1, 2, 3, 4, 5, 6, 7, 8]);
      for (const digest of digests)
        expect(
          new Set(saved.filter(({ version }) => version.digest === digest).map(({ version }) => version.version)).size,
        ).to.equal(1);
      expect(await storage.listAudit({}, 100)).to.have.length(8);
    });

    it('should list the newest version of each workflow, most recently deployed first', async () => {
      const { storage } = getStorage();
      for (const [workflowId, digest, deployedAt] of [
        ['a', 'x', 1000],
        ['b', 'x', 2000],
        ['c', 'x', 2000],
        ['a', 'y', 3000],
      ] as const) {
        await saveVersion(storage, createWorkflowVersion({ workflowId, digest, deployedAt }), audit);
      }

      const first = await storage.listWorkflows({ limit: 2 });
      const second = await storage.listWorkflows({ limit: 2, cursor: requireValue(first.nextCursor) });

      expect([...first.items, ...second.items].map(({ workflowId, version }) => `${workflowId}${version}`)).to.eql([
        'a2',
        'c1',
        'b1',
      ]);
      expect(second.nextCursor).to.equal(null);
      expect(first.items[0]).not.to.have.property('bpmnXml');
    });
  });
}
