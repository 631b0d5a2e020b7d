import { expect } from 'chai';
import type { Subject } from '../storage-under-test.js';
import { deploy, jobOffer, nextId, present, runEvent, runRecord, runWrite } from '../storage-fixtures.js';

export function describeCommit(current: Subject): void {
  describe('commit', () => {
    beforeEach(() => deploy(current().storage));

    const answer = (key: string, requestDigest = 'd') => ({
      scope: 'ada POST /runs',
      key,
      requestDigest,
      response: { key },
    });

    it('should write a new run and its later revisions', async () => {
      const { storage } = current();
      const run = runRecord();

      expect(await storage.commit([runWrite({ run })])).to.eql(['committed']);
      expect(
        await storage.commit([
          runWrite({
            run: { ...run, status: 'completed', outcome: 'completed', completedAt: run.startedAt + 5 },
            revision: 1,
          }),
        ]),
      ).to.eql(['committed']);

      const loaded = (await storage.loadRuns([run.runId, nextId()])).get(run.runId);
      expect(loaded).to.include({ revision: 2 });
      expect(JSON.parse(present(loaded).state)).to.eql({ revision: 2 });
      const found = await storage.findRun(run.runId);
      expect(found?.run).to.eql({ ...run, status: 'completed', outcome: 'completed', completedAt: run.startedAt + 5 });
      expect(JSON.parse(present(found).state)).to.eql({ revision: 2 });
    });

    it('should write the new workflow version of a migrated run', async () => {
      const { storage } = current();
      const version = await deploy(storage, { digest: 'sha256:second' });
      const run = runRecord();
      await storage.commit([runWrite({ run })]);
      const moved = { ...run, workflowVersion: version.version, workflowDigest: version.digest };
      expect(await storage.commit([runWrite({ run: moved, revision: 1 })])).to.eql(['committed']);
      expect((await storage.findRun(run.runId))?.run).to.eql(moved);
    });

    it('should omit missing runs from its results', async () => {
      const { storage } = current();
      expect([...(await storage.loadRuns([nextId()])).keys()]).to.eql([]);
      expect([...(await storage.loadRuns([])).keys()]).to.eql([]);
      expect([...(await storage.findRunsOfApprovals([nextId()])).keys()]).to.eql([]);
      expect(await storage.findRun(nextId())).to.equal(undefined);
      expect(await storage.commit([])).to.eql([]);
    });

    it('should refuse a write of another revision, with its events, jobs and stored response', async () => {
      const { storage } = current();
      const run = runRecord();
      await storage.commit([runWrite({ run }), runWrite({ run: runRecord() })]);
      const late = runWrite({
        run,
        revision: 7,
        events: [runEvent(1)],
        jobsOffered: [jobOffer()],
        storedResponse: answer('late'),
      });
      const beside = runWrite({ events: [runEvent(1)] });

      expect(await storage.commit([late, beside])).to.eql(['conflict', 'committed']);

      expect((await storage.loadRuns([run.runId])).get(run.runId)?.revision).to.equal(1);
      expect(await storage.listRunEvents(run.runId, 0, 10)).to.eql([]);
      expect(await storage.listRunEvents(beside.run.runId, 0, 10)).to.have.length(1);
      expect(await storage.claimJobs({ owner: 'a', jobTypes: ['connector'], limit: 5, leaseMs: 1000 })).to.eql([]);
      expect(await storage.findStoredResponses([answer('late')])).to.eql([undefined]);
    });

    it('should refuse a run of an outdated workflow version if the newest version is required', async () => {
      const { storage, other } = current();
      await deploy(other, { digest: 'sha256:second' });
      const [old, chosen, newest] = [runRecord(), runRecord(), runRecord({ workflowVersion: 2 })];
      const writes = [
        runWrite({ run: old, requireNewestVersion: true }),
        runWrite({ run: chosen }),
        runWrite({ run: newest, requireNewestVersion: true }),
      ];

      expect(await storage.commit(writes)).to.eql(['conflict', 'committed', 'committed']);
      expect(await storage.findRun(old.runId)).to.equal(undefined);
    });

    it('should limit the active child runs of a root run', async () => {
      const { storage, other } = current();
      const [root, elsewhere] = [nextId(), nextId()];
      const called = (rootRunId = root, atMost = 3) => runWrite({ calledFrom: { rootRunId, atMost } });
      const first = [called(), called()] as const;
      expect(await storage.commit(first)).to.eql(['committed', 'committed']);

      const results = await other.commit([called(), runWrite(), called(elsewhere), called(), called(root)]);

      expect([results[1], results[2]]).to.eql(['committed', 'committed']);
      expect([results[0], results[3], results[4]].toSorted()).to.eql(['committed', 'crowded', 'crowded']);
      expect(await storage.commit([called()])).to.eql(['crowded']);
      // Another limit, an end, and a run that is not new.
      expect(await storage.commit([called(root, 4)])).to.eql(['committed']);
      const ended = { ...first[0].run, outcome: 'cancelled', status: 'failed' } as const;
      expect(
        await storage.commit([runWrite({ run: ended, revision: 1 }), runWrite({ run: first[1].run, revision: 1 })]),
      ).to.eql(['committed', 'committed']);
      expect(await other.commit([called()])).to.eql(['crowded']);
      expect(await other.commit([called(root, 4)])).to.eql(['committed']);
    });

    it('should commit only one of two concurrent writes of a run', async () => {
      const { storage, other } = current();
      const run = runRecord();
      await storage.commit([runWrite({ run })]);

      for (let revision = 1; revision <= 10; revision += 1) {
        const results = await Promise.all(
          [storage, other].map(async (server) => {
            // A write that meets the other one may have to be repeated.
            for (;;) {
              const [result] = await server.commit([runWrite({ run, revision })]);
              if (result !== 'locked') return result;
            }
          }),
        );
        expect(results.sort()).to.eql(['committed', 'conflict']);
      }
    });

    it('should commit one of two commands with the same idempotency key, even on different servers', async () => {
      const { storage, other } = current();
      for (let round = 1; round <= 10; round += 1) {
        const writes = [1, 2].map(() => runWrite({ storedResponse: answer(`key-${round}`), events: [runEvent(1)] }));
        const results = await Promise.all([
          storage.commit([present(writes[0]), runWrite()]),
          other.commit([runWrite(), present(writes[1])]),
        ]);

        expect([results[0][0], results[1][1]].sort()).to.eql(['answered', 'committed']);
        expect([results[0][1], results[1][0]]).to.eql(['committed', 'committed']);
        const loser = present(writes[results[0][0] === 'committed' ? 1 : 0]);
        expect(await storage.findRun(loser.run.runId)).to.equal(undefined);
        expect(await storage.listRunEvents(loser.run.runId, 0, 5)).to.eql([]);
      }
    });

    it('should keep the first response that is stored under a key without a command', async () => {
      const { storage, other } = current();
      const [one, another] = [answer('alone', 'first'), answer('alone', 'second')];

      const kept = await Promise.all([storage.storeResponse(one), other.storeResponse(another)]);

      expect(kept[0]).to.eql(kept[1]);
      expect([one, another].map(({ requestDigest, response }) => ({ requestDigest, response }))).to.deep.include(
        kept[0],
      );
      expect(await storage.findStoredResponses([one])).to.eql([kept[0]]);
      expect(await storage.storeResponse({ ...another, scope: 'bob POST /runs' })).to.include({
        requestDigest: 'second',
      });
    });

    it('should return stored responses in the order of the requested keys', async () => {
      const { storage } = current();
      await storage.commit([
        runWrite({ storedResponse: answer('one', 'first') }),
        runWrite({ storedResponse: answer('two', 'second') }),
      ]);

      expect(await storage.findStoredResponses([answer('two'), answer('none'), answer('one')])).to.eql([
        { requestDigest: 'second', response: { key: 'two' } },
        undefined,
        { requestDigest: 'first', response: { key: 'one' } },
      ]);
      expect(await storage.findStoredResponses([{ scope: 'somebody else', key: 'one' }])).to.eql([undefined]);
    });

    it('should not commit a write whose idempotency key was used before', async () => {
      const { storage, other } = current();
      await storage.commit([runWrite({ storedResponse: answer('used') })]);
      const again = runWrite({ storedResponse: answer('used'), events: [runEvent(1)] });

      expect(await other.commit([again])).to.eql(['answered']);
      expect(await other.commit([runWrite(), again, runWrite({ storedResponse: answer('unused') })])).to.eql([
        'committed',
        'answered',
        'committed',
      ]);
      expect(await storage.findRun(again.run.runId)).to.equal(undefined);
      expect(await storage.listRunEvents(again.run.runId, 0, 5)).to.eql([]);
    });
  });
}
