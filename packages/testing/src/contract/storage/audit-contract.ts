import { expect } from 'chai';
import { commitToAudit, GENESIS_HASH, hashAuditRecord } from '@countersign/model';
import type { Subject } from '../storage-under-test.js';
import { auditEntry, auditOf, deploy, present, runRecord, runWrite } from '../storage-fixtures.js';

export function describeAudit(current: Subject): void {
  describe('audit', () => {
    it('should keep the audit chain of the server intact while two servers append to it', async () => {
      const { storage, other } = current();
      const entry = (n: number) =>
        auditEntry({
          action: `n${n}`,
          result: 'refused',
          target: { n, a: 'ü' },
          actor: n % 2 === 0 ? null : { type: 'service', id: 's', name: null },
        });
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? storage : other).appendAudit([entry(n), entry(n)])),
      );

      const records = [...(await storage.listAudit({}, 100))].sort((a, b) => a.seq - b.seq);

      expect(records.map(({ seq }) => seq)).to.eql(Array.from({ length: 40 }, (_, index) => index + 1));
      let previous = GENESIS_HASH;
      for (const record of records) {
        expect(record.previousHash).to.equal(previous);
        expect(hashAuditRecord(record)).to.equal(record.hash);
        expect(commitToAudit(record, record.salt)).to.equal(record.commitment);
        previous = record.hash;
      }
    });

    it('should list the audit chain of the server in order, in pages and without entries of runs', async () => {
      const { storage } = current();
      await deploy(storage);
      const run = runRecord();
      await storage.commit([runWrite({ run, audit: auditOf(run, [auditEntry()]) })]);
      await storage.appendAudit(['a', 'b', 'c'].map((action) => auditEntry({ action })));

      const actionsOf = async (after: number, limit: number): Promise<string[]> =>
        (await storage.listServerAudit(after, limit)).map(({ action }) => action);
      expect(await actionsOf(0, 10)).to.eql(['workflow.deploy', 'a', 'b', 'c']);
      expect(await actionsOf(1, 2)).to.eql(['a', 'b']);
      expect(await actionsOf(4, 10)).to.eql([]);
    });

    it('should write nothing for an empty list of entries', async () => {
      await current().storage.appendAudit([]);
      expect(await current().storage.listAudit({}, 5)).to.eql([]);
    });

    it('should list entries by run or actor, before or after a given entry', async () => {
      const { storage } = current();
      await deploy(storage);
      const run = runRecord();
      const audit = auditOf(run, [
        auditEntry(),
        auditEntry({ action: 'approval.vote', actor: { type: 'user', id: 'bob', name: 'Bob' } }),
        auditEntry({ action: 'run.cancel' }),
      ]);
      await storage.commit([runWrite({ run, audit })]);

      const [start, vote, cancel] = audit;
      expect(await storage.listAudit({ runId: run.runId }, 10)).to.eql([cancel, vote, start]);
      expect(await storage.listAudit({ runId: run.runId, after: present(start).auditId }, 1)).to.eql([vote]);
      expect(await storage.listAudit({ runId: run.runId, before: present(cancel).auditId }, 5)).to.eql([vote, start]);
      expect(await storage.listAudit({ runId: run.runId, actor: 'bob' }, 10)).to.eql([vote]);
      expect(await storage.listAudit({ actor: 'bob' }, 10)).to.eql([vote]);
      const everything = await storage.listAudit({}, 10);
      expect(everything.map(({ action }) => action)).to.have.members([
        'workflow.deploy',
        'run.start',
        'approval.vote',
        'run.cancel',
      ]);
      expect(await storage.listAudit({ before: present(everything[1]).auditId }, 10)).to.eql(everything.slice(2));
      expect(await storage.listAudit({ after: present(everything[2]).auditId }, 10)).to.eql(
        everything.slice(0, 2).reverse(),
      );
      const code = await storage
        .listAudit({ runId: run.runId, after: "'" }, 1)
        .catch((error: unknown) => (error as { code?: unknown }).code);
      expect(code).to.equal('invalid_cursor');
    });

    it('should list refused requests about a run with the entries of the run', async () => {
      const { storage } = current();
      await deploy(storage);
      const run = runRecord();
      await storage.commit([runWrite({ run, audit: auditOf(run, [auditEntry()]) })]);
      await storage.appendAudit([
        auditEntry({
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
