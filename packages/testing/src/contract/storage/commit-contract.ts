import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  deploy,
  createJobOffer,
  nextId,
  requireValue,
  createRunEvent,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';

export function describeCommit(getStorage: StorageGetter): void {
  describe('commit', () => {
    beforeEach(() => deploy(getStorage().storage));

    const createStoredResponse = (key: string, requestDigest = 'd') => ({
      scope: 'ada POST /runs',
      key,
      requestDigest,
      response: { key },
    });

    it('should write a new run and its later revisions', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();

      expect(await storage.commit([createRunWrite({ run })])).to.eql(['committed']);
      expect(
        await storage.commit([
          createRunWrite({
            run: { ...run, status: 'completed', outcome: 'completed', completedAt: run.startedAt + 5 },
            revision: 1,
          }),
        ]),
      ).to.eql(['committed']);

      const loaded = (await storage.loadRuns([run.runId, nextId()])).get(run.runId);
      expect(loaded).to.include({ revision: 2 });
      expect(JSON.parse(requireValue(loaded).state)).to.eql({ revision: 2 });
      const found = await storage.findRun(run.runId);
      expect(found?.run).to.eql({ ...run, status: 'completed', outcome: 'completed', completedAt: run.startedAt + 5 });
      expect(JSON.parse(requireValue(found).state)).to.eql({ revision: 2 });
    });

    it('should write the new workflow version of a migrated run', async () => {
      const { storage } = getStorage();
      const version = await deploy(storage, { digest: 'sha256:second' });
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run })]);
      const migratedRun = { ...run, workflowVersion: version.version, workflowDigest: version.digest };
      expect(await storage.commit([createRunWrite({ run: migratedRun, revision: 1 })])).to.eql(['committed']);
      expect((await storage.findRun(run.runId))?.run).to.eql(migratedRun);
    });

    it('should omit missing runs from its results', async () => {
      const { storage } = getStorage();
      expect([...(await storage.loadRuns([nextId()])).keys()]).to.eql([]);
      expect([...(await storage.loadRuns([])).keys()]).to.eql([]);
      expect([...(await storage.findRunsOfApprovals([nextId()])).keys()]).to.eql([]);
      expect(await storage.findRun(nextId())).to.equal(undefined);
      expect(await storage.commit([])).to.eql([]);
    });

    it('should refuse a write of another revision, with its events, jobs and stored response', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run }), createRunWrite({ run: createRunRecord() })]);
      const conflictingWrite = createRunWrite({
        run,
        revision: 7,
        events: [createRunEvent(1)],
        jobsOffered: [createJobOffer()],
        storedResponse: createStoredResponse('late'),
      });
      const otherWrite = createRunWrite({ events: [createRunEvent(1)] });

      expect(await storage.commit([conflictingWrite, otherWrite])).to.eql(['conflict', 'committed']);

      expect((await storage.loadRuns([run.runId])).get(run.runId)?.revision).to.equal(1);
      expect(await storage.listRunEvents(run.runId, 0, 10)).to.eql([]);
      expect(await storage.listRunEvents(otherWrite.run.runId, 0, 10)).to.have.length(1);
      expect(await storage.claimJobs({ owner: 'a', jobTypes: ['connector'], limit: 5, leaseMs: 1000 })).to.eql([]);
      expect(await storage.findStoredResponses([createStoredResponse('late')])).to.eql([undefined]);
    });

    it('should refuse a run of an outdated workflow version if the newest version is required', async () => {
      const { storage, other } = getStorage();
      await deploy(other, { digest: 'sha256:second' });
      const [outdatedRun, runOfChosenVersion, newestRun] = [
        createRunRecord(),
        createRunRecord(),
        createRunRecord({ workflowVersion: 2 }),
      ];
      const writes = [
        createRunWrite({ run: outdatedRun, requireNewestVersion: true }),
        createRunWrite({ run: runOfChosenVersion }),
        createRunWrite({ run: newestRun, requireNewestVersion: true }),
      ];

      expect(await storage.commit(writes)).to.eql(['conflict', 'committed', 'committed']);
      expect(await storage.findRun(outdatedRun.runId)).to.equal(undefined);
    });

    it('should limit the active child runs of a root run', async () => {
      const { storage, other } = getStorage();
      const [rootId, otherRootId] = [nextId(), nextId()];
      const createChildWrite = (rootRunId = rootId, maxRuns = 3) =>
        createRunWrite({ callLimit: { rootRunId, maxRuns } });
      const first = [createChildWrite(), createChildWrite()] as const;
      expect(await storage.commit(first)).to.eql(['committed', 'committed']);

      const results = await other.commit([
        createChildWrite(),
        createRunWrite(),
        createChildWrite(otherRootId),
        createChildWrite(),
        createChildWrite(rootId),
      ]);

      expect([results[1], results[2]]).to.eql(['committed', 'committed']);
      expect([results[0], results[3], results[4]].toSorted()).to.eql(['committed', 'crowded', 'crowded']);
      expect(await storage.commit([createChildWrite()])).to.eql(['crowded']);
      // Covers a higher limit, a run that ends, and a later revision of an existing run.
      expect(await storage.commit([createChildWrite(rootId, 4)])).to.eql(['committed']);
      const endedRun = { ...first[0].run, outcome: 'cancelled', status: 'failed' } as const;
      expect(
        await storage.commit([
          createRunWrite({ run: endedRun, revision: 1 }),
          createRunWrite({ run: first[1].run, revision: 1 }),
        ]),
      ).to.eql(['committed', 'committed']);
      expect(await other.commit([createChildWrite()])).to.eql(['crowded']);
      expect(await other.commit([createChildWrite(rootId, 4)])).to.eql(['committed']);
    });

    it('should commit only one of two concurrent writes of a run', async () => {
      const { storage, other } = getStorage();
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run })]);

      for (let revision = 1; revision <= 10; revision += 1) {
        const results = await Promise.all(
          [storage, other].map(async (server) => {
            // A write that conflicts with a concurrent write may have to be repeated.
            for (;;) {
              const [result] = await server.commit([createRunWrite({ run, revision })]);
              if (result !== 'locked') return result;
            }
          }),
        );
        expect(results.sort()).to.eql(['committed', 'conflict']);
      }
    });

    it('should commit one of two commands with the same idempotency key, even on different servers', async () => {
      const { storage, other } = getStorage();
      for (let repetition = 1; repetition <= 10; repetition += 1) {
        const writes = [1, 2].map(() =>
          createRunWrite({ storedResponse: createStoredResponse(`key-${repetition}`), events: [createRunEvent(1)] }),
        );
        const results = await Promise.all([
          storage.commit([requireValue(writes[0]), createRunWrite()]),
          other.commit([createRunWrite(), requireValue(writes[1])]),
        ]);

        expect([results[0][0], results[1][1]].sort()).to.eql(['answered', 'committed']);
        expect([results[0][1], results[1][0]]).to.eql(['committed', 'committed']);
        const rejectedWrite = requireValue(writes[results[0][0] === 'committed' ? 1 : 0]);
        expect(await storage.findRun(rejectedWrite.run.runId)).to.equal(undefined);
        expect(await storage.listRunEvents(rejectedWrite.run.runId, 0, 5)).to.eql([]);
      }
    });

    it('should keep the first response that is stored under a key without a command', async () => {
      const { storage, other } = getStorage();
      const [firstResponse, secondResponse] = [
        createStoredResponse('alone', 'first'),
        createStoredResponse('alone', 'second'),
      ];

      const storedResponses = await Promise.all([
        storage.storeResponse(firstResponse),
        other.storeResponse(secondResponse),
      ]);

      expect(storedResponses[0]).to.eql(storedResponses[1]);
      expect(
        [firstResponse, secondResponse].map(({ requestDigest, response }) => ({ requestDigest, response })),
      ).to.deep.include(storedResponses[0]);
      expect(await storage.findStoredResponses([firstResponse])).to.eql([storedResponses[0]]);
      expect(await storage.storeResponse({ ...secondResponse, scope: 'bob POST /runs' })).to.include({
        requestDigest: 'second',
      });
    });

    it('should return stored responses in the order of the requested keys', async () => {
      const { storage } = getStorage();
      await storage.commit([
        createRunWrite({ storedResponse: createStoredResponse('one', 'first') }),
        createRunWrite({ storedResponse: createStoredResponse('two', 'second') }),
      ]);

      expect(
        await storage.findStoredResponses([
          createStoredResponse('two'),
          createStoredResponse('none'),
          createStoredResponse('one'),
        ]),
      ).to.eql([
        { requestDigest: 'second', response: { key: 'two' } },
        undefined,
        { requestDigest: 'first', response: { key: 'one' } },
      ]);
      expect(await storage.findStoredResponses([{ scope: 'somebody else', key: 'one' }])).to.eql([undefined]);
    });

    it('should not commit a write whose idempotency key was used before', async () => {
      const { storage, other } = getStorage();
      await storage.commit([createRunWrite({ storedResponse: createStoredResponse('used') })]);
      const repeatedWrite = createRunWrite({
        storedResponse: createStoredResponse('used'),
        events: [createRunEvent(1)],
      });

      expect(await other.commit([repeatedWrite])).to.eql(['answered']);
      expect(
        await other.commit([
          createRunWrite(),
          repeatedWrite,
          createRunWrite({ storedResponse: createStoredResponse('unused') }),
        ]),
      ).to.eql(['committed', 'answered', 'committed']);
      expect(await storage.findRun(repeatedWrite.run.runId)).to.equal(undefined);
      expect(await storage.listRunEvents(repeatedWrite.run.runId, 0, 5)).to.eql([]);
    });
  });
}
