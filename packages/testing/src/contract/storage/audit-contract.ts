import { expect } from 'chai';
import { computeAuditCommitment, GENESIS_HASH, hashAuditRecord } from '@countersign/model';
import type { StorageGetter } from '../storage-under-test.js';
import {
  createAuditEntry,
  createAuditRecords,
  deploy,
  requireValue,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';

export function describeAudit(getStorage: StorageGetter): void {
  describe('audit', () => {
    it('should keep the audit chain of the server intact while two servers append to it', async () => {
      const { storage, other } = getStorage();
      const createEntry = (n: number) =>
        createAuditEntry({
          action: `n${n}`,
          result: 'refused',
          target: { n, a: 'ü' },
          actor: n % 2 === 0 ? null : { type: 'service', id: 's', name: null },
        });
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? storage : other).appendAudit([createEntry(n), createEntry(n)]),
        ),
      );

      const records = [...(await storage.listAudit({}, 100))].sort((a, b) => a.seq - b.seq);

      expect(records.map(({ seq }) => seq)).to.eql(Array.from({ length: 40 }, (_, index) => index + 1));
      let previous = GENESIS_HASH;
      for (const record of records) {
        expect(record.previousHash).to.equal(previous);
        expect(hashAuditRecord(record)).to.equal(record.hash);
        expect(computeAuditCommitment(record, record.salt)).to.equal(record.commitment);
        previous = record.hash;
      }
    });

    it('should list the audit chain of the server in order, in pages and without entries of runs', async () => {
      const { storage } = getStorage();
      await deploy(storage);
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, audit: createAuditRecords(run, [createAuditEntry()]) })]);
      await storage.appendAudit(['a', 'b', 'c'].map((action) => createAuditEntry({ action })));

      const listActions = async (after: number, limit: number): Promise<string[]> =>
        (await storage.listServerAudit(after, limit)).map(({ action }) => action);
      expect(await listActions(0, 10)).to.eql(['workflow.deploy', 'a', 'b', 'c']);
      expect(await listActions(1, 2)).to.eql(['a', 'b']);
      expect(await listActions(4, 10)).to.eql([]);
    });

    it('should write nothing for an empty list of entries', async () => {
      await getStorage().storage.appendAudit([]);
      expect(await getStorage().storage.listAudit({}, 5)).to.eql([]);
    });

    it('should list entries by run or actor, before or after a given entry', async () => {
      const { storage } = getStorage();
      await deploy(storage);
      const run = createRunRecord();
      const audit = createAuditRecords(run, [
        createAuditEntry(),
        createAuditEntry({ action: 'approval.vote', actor: { type: 'user', id: 'bob', name: 'Bob' } }),
        createAuditEntry({ action: 'run.cancel' }),
      ]);
      await storage.commit([createRunWrite({ run, audit })]);

      const [start, vote, cancel] = audit;
      expect(await storage.listAudit({ runId: run.runId }, 10)).to.eql([cancel, vote, start]);
      expect(await storage.listAudit({ runId: run.runId, after: requireValue(start).auditId }, 1)).to.eql([vote]);
      expect(await storage.listAudit({ runId: run.runId, before: requireValue(cancel).auditId }, 5)).to.eql([
        vote,
        start,
      ]);
      expect(await storage.listAudit({ runId: run.runId, actor: 'bob' }, 10)).to.eql([vote]);
      expect(await storage.listAudit({ actor: 'bob' }, 10)).to.eql([vote]);
      const allEntries = await storage.listAudit({}, 10);
      expect(allEntries.map(({ action }) => action)).to.have.members([
        'workflow.deploy',
        'run.start',
        'approval.vote',
        'run.cancel',
      ]);
      expect(await storage.listAudit({ before: requireValue(allEntries[1]).auditId }, 10)).to.eql(allEntries.slice(2));
      expect(await storage.listAudit({ after: requireValue(allEntries[2]).auditId }, 10)).to.eql(
        allEntries.slice(0, 2).reverse(),
      );
      const errorCode = await storage
        .listAudit({ runId: run.runId, after: "'" }, 1)
        .catch((error: unknown) => (error as { code?: unknown }).code);
      expect(errorCode).to.equal('invalid_cursor');
    });

    it('should list refused requests about a run with the entries of the run', async () => {
      const { storage } = getStorage();
      await deploy(storage);
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, audit: createAuditRecords(run, [createAuditEntry()]) })]);
      await storage.appendAudit([
        createAuditEntry({
          action: 'run.cancel',
          result: 'refused',
          target: { type: 'run', id: run.runId, runId: run.runId },
        }),
      ]);
      const listed = await storage.listAudit({ runId: run.runId }, 10);
      expect(listed.map(({ action, runId }) => [action, runId])).to.have.deep.members([
        ['run.start', run.runId],
        ['run.cancel', null],
      ]);
    });
  });
}
