import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import { createAuditEntry, createRunRecord, createRunWrite, deploy, nextId } from '../storage-fixtures.js';
import { waitUntil } from '@countersign/model/testing';

const MINUTE_MS = 60_000;

export function describeEngineRegister(getStorage: StorageGetter): void {
  describe('engine register', () => {
    beforeEach(() => deploy(getStorage().storage));

    const move = (engine: string | null, workflowId = 'release', storage = getStorage().storage) =>
      storage.moveWorkflow({ workflowId, engine, audit: createAuditEntry({ action: 'workflow.move' }) });
    const startRun = async (engineOfWorkflow: string | null, engine = engineOfWorkflow ?? 'embedded') => {
      const run = createRunRecord({ engine });
      const [result] = await getStorage().storage.commit([createRunWrite({ run, engineOfWorkflow })]);
      return { run, result };
    };

    it('should count the servers by engine until they are removed', async () => {
      const { storage, other } = getStorage();
      const [first, second, third] = [nextId(), nextId(), nextId()];
      await storage.recordServer({ serverId: first, engine: 'temporal' });
      await other.recordServer({ serverId: second, engine: 'embedded' });
      await other.recordServer({ serverId: third, engine: 'embedded' });
      await other.recordServer({ serverId: third, engine: 'embedded' });

      expect(await storage.countServers(MINUTE_MS)).to.eql([
        { engine: 'embedded', count: 2 },
        { engine: 'temporal', count: 1 },
      ]);
      await storage.removeServer(first);
      await storage.removeServer(second);
      expect(await other.countServers(MINUTE_MS)).to.eql([{ engine: 'embedded', count: 1 }]);
    });

    it('should not count a server that was recorded too long ago', async () => {
      const { storage } = getStorage();
      const serverId = nextId();
      await storage.recordServer({ serverId, engine: 'embedded' });

      await waitUntil('the record is old', async () => (await storage.countServers(5)).length === 0);
      await storage.recordServer({ serverId, engine: 'embedded' });
      expect(await storage.countServers(MINUTE_MS)).to.eql([{ engine: 'embedded', count: 1 }]);
    });

    it('should return the engine to which a workflow was moved', async () => {
      const { storage, other } = getStorage();
      expect(await storage.findEngineOfWorkflow('release')).to.equal(null);

      expect(await move('temporal')).to.equal(null);
      expect(await other.findEngineOfWorkflow('release')).to.equal('temporal');
      expect(await other.findEngineOfWorkflow('another')).to.equal(null);
      expect(await move('embedded')).to.equal('temporal');
      expect(await move(null)).to.equal('embedded');
      expect(await other.findEngineOfWorkflow('release')).to.equal(null);
    });

    it('should record each move once, with the previous engine', async () => {
      const { storage, other } = getStorage();
      await Promise.all([move('temporal'), move('temporal', 'release', other)]);
      await move('embedded');

      const audit = await storage.listServerAudit(0, 10);
      const moves = audit.filter(({ action }) => action === 'workflow.move').map(({ data }) => data);
      expect(moves.map(({ from, to }) => ({ from, to }))).to.eql([
        { from: null, to: 'temporal' },
        { from: 'temporal', to: 'embedded' },
      ]);
    });

    it('should refuse a new run that was evaluated before the workflow was moved', async () => {
      expect((await startRun(null)).result).to.equal('committed');
      expect((await startRun('temporal')).result).to.equal('conflict');

      await move('temporal');
      expect((await startRun(null)).result).to.equal('conflict');
      expect((await startRun('embedded')).result).to.equal('conflict');
      expect((await startRun('temporal')).result).to.equal('committed');

      await move(null);
      expect((await startRun('temporal')).result).to.equal('conflict');
      expect((await startRun(null)).result).to.equal('committed');
    });

    it('should commit commands of runs that started before the move', async () => {
      const { storage } = getStorage();
      const { run } = await startRun(null);
      await move('temporal');

      expect(await storage.commit([createRunWrite({ run, revision: 1 })])).to.eql(['committed']);
      expect((await storage.findRun(run.runId))?.run.engine).to.equal('embedded');
      expect(await storage.findEngineOfRun(run.runId)).to.equal('embedded');
      expect(await storage.findEngineOfRun(nextId())).to.equal(undefined);
    });

    it('should count the runs that have not ended by engine', async () => {
      const { storage } = getStorage();
      const { run } = await startRun(null);
      await startRun(null);
      await startRun(null, 'temporal');
      await storage.commit([
        createRunWrite({ run: { ...run, status: 'completed', outcome: 'completed' }, revision: 1 }),
      ]);

      expect(await storage.countActiveRuns('release')).to.eql([
        { engine: 'embedded', count: 1 },
        { engine: 'temporal', count: 1 },
      ]);
      expect(await storage.countActiveRuns('another')).to.eql([]);
      expect(await storage.listEnginesOfActiveRuns()).to.eql(['embedded', 'temporal']);
    });

    it('should list runs of all engines, or of one', async () => {
      const { storage } = getStorage();
      const { run: embedded } = await startRun(null);
      const { run: external } = await startRun(null, 'temporal');
      const list = async (filter: { engine?: string }) =>
        (await storage.listRuns(filter, { limit: 10 })).items.map(({ runId, engine }) => [runId, engine]);

      expect(await list({})).to.eql([
        [external.runId, 'temporal'],
        [embedded.runId, 'embedded'],
      ]);
      expect(await list({ engine: 'temporal' })).to.eql([[external.runId, 'temporal']]);
    });
  });
}
