import { expect } from 'chai';
import type { RunRecord, RunWrite } from '@countersign/core/ports';
import type { StorageGetter } from '../storage-under-test.js';
import { createJobOffer, createRunRecord, createRunWrite, deploy, nextId, requireValue } from '../storage-fixtures.js';
import { currentTime, waitUntil } from '@countersign/model/testing';

export function describeExternalEngines(getStorage: StorageGetter): void {
  describe('runs of external engines', () => {
    /** A separate engine for each test, because the announcements of all tests are in one table. */
    let engine: string;

    beforeEach(async () => {
      await deploy(getStorage().storage);
      engine = `engine-${nextId()}`;
    });

    function createExternalWrite(fields: Parameters<typeof createRunWrite>[0] & { readonly run: RunRecord }): RunWrite {
      return createRunWrite({ announceAfterMs: 0, ...fields, run: { ...fields.run, engine } });
    }
    const claim = async (leaseMs = 60_000, storage = getStorage().storage) =>
      storage.claimAnnouncements({ engine, limit: 10, leaseMs });

    it('should be loaded with their engine', async () => {
      const { storage } = getStorage();
      const [externalRun, run] = [createRunRecord(), createRunRecord()];
      await storage.commit([createExternalWrite({ run: externalRun }), createRunWrite({ run })]);

      const runs = await storage.loadRuns([externalRun.runId, run.runId]);
      expect([runs.get(externalRun.runId)?.engine, runs.get(run.runId)?.engine]).to.eql([engine, 'embedded']);
    });

    it('should have an announcement of their newest revision, which one server claims at a time', async () => {
      // given
      const { storage, other } = getStorage();
      const run = createRunRecord();
      await storage.commit([createExternalWrite({ run })]);
      await other.commit([createExternalWrite({ run, revision: 1 })]);

      // when
      const claimed = await claim();

      // then
      expect(claimed).to.eql([{ runId: run.runId, revision: 2 }]);
      expect(await claim(60_000, other)).to.eql([]);
      expect(await storage.claimAnnouncements({ engine: 'another', limit: 10, leaseMs: 0 })).to.eql([]);
      expect((await storage.countAnnouncements(engine)).count).to.equal(1);
    });

    it('should keep an announcement until its revision, or a later one, is accepted', async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord();
      await storage.commit([createExternalWrite({ run })]);
      await storage.commit([createExternalWrite({ run, revision: 1 })]);

      // when
      await storage.deleteAnnouncements([{ runId: run.runId, revision: 1 }]);

      // then
      const { count, oldestAgeMs } = await storage.countAnnouncements(engine);
      expect(count).to.equal(1);
      expect(oldestAgeMs).to.be.at.least(0);
      await storage.deleteAnnouncements([{ runId: run.runId, revision: 2 }]);
      expect(await storage.countAnnouncements(engine)).to.eql({ count: 0, oldestAgeMs: null });
    });

    it('should be announced by another server after the time in which the first one does it', async () => {
      const { storage, other } = getStorage();
      const [laterRun, run] = [createRunRecord(), createRunRecord()];
      await storage.commit([
        createExternalWrite({ run: laterRun, announceAfterMs: 60_000 }),
        createExternalWrite({ run, announceAfterMs: 0 }),
        createExternalWrite({ run: createRunRecord(), announceAfterMs: null }),
      ]);

      expect(await claim(0, other)).to.eql([{ runId: run.runId, revision: 1 }]);
      expect(await claim(0)).to.eql([{ runId: run.runId, revision: 1 }]);
      expect((await storage.countAnnouncements(engine)).count).to.equal(2);
    });

    it('should not be announced if the command is not committed', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      await storage.commit([createExternalWrite({ run, announceAfterMs: null })]);

      expect(await storage.commit([createExternalWrite({ run, revision: 7 })])).to.eql(['conflict']);
      expect(await storage.countAnnouncements(engine)).to.eql({ count: 0, oldestAgeMs: null });
    });

    it('should have jobs that only their engine claims, and whose earlier attempts are fenced', async () => {
      // given
      const { storage, other } = getStorage();
      const run = createRunRecord();
      const { owner: _, ...offer } = createJobOffer();
      await storage.commit([createExternalWrite({ run, jobsOffered: [{ ...offer, owner: null }] })]);
      const claimRequest = { owner: 'embedded', jobTypes: [offer.jobType], limit: 100, leaseMs: 0 };
      expect((await storage.claimJobs(claimRequest)).map(({ jobId }) => jobId)).not.to.include(offer.jobId);

      // when
      const first = requireValue(await storage.takeJob(offer.jobId, offer.attempt, 'first'));
      const second = requireValue(await other.takeJob(offer.jobId, offer.attempt, 'second'));

      // then
      expect(first).to.eql({ ...offer, runId: run.runId, epoch: 1 });
      expect(second.epoch).to.equal(2);
      expect(await storage.findLeasedJobs('first', [offer.jobId])).to.eql([]);
      const createResult = ({ epoch }: { readonly epoch: number }) =>
        createExternalWrite({ run, revision: 1, fence: { jobId: offer.jobId, epoch }, jobsWithdrawn: [offer.jobId] });
      expect(await storage.commit([createResult(first)])).to.eql(['fenced']);
      expect(await storage.commit([createResult(second)])).to.eql(['committed']);
      expect(await storage.takeJob(offer.jobId, offer.attempt, 'third')).to.equal(undefined);
    });

    it('should have rescheduled jobs that only their engine claims', async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord();
      const { owner: _, ...offer } = createJobOffer();
      await storage.commit([createExternalWrite({ run, jobsOffered: [{ ...offer, owner: null }] })]);

      // when
      const rescheduled = { jobId: offer.jobId, dueAt: currentTime() - 1_000, attempt: 2, hasUnknownOutcome: false };
      await storage.commit([createExternalWrite({ run, revision: 1, jobsRescheduled: [rescheduled] })]);

      // then
      const claimRequest = { owner: 'embedded', jobTypes: [offer.jobType], limit: 100, leaseMs: 0 };
      expect((await storage.claimJobs(claimRequest)).map(({ jobId }) => jobId)).not.to.include(offer.jobId);
      expect(await storage.takeJob(offer.jobId, 1, 'engine'), 'an earlier attempt').to.equal(undefined);
      expect(await storage.takeJob(offer.jobId, 2, 'engine')).to.include({ attempt: 2, epoch: 1 });
    });

    it('should not delay the jobs of the embedded engine', async () => {
      const { storage } = getStorage();
      const { owner: _, ...external } = createJobOffer({ jobType: `only-${engine}` });
      await storage.commit([
        createExternalWrite({ run: createRunRecord(), jobsOffered: [{ ...external, owner: null }] }),
      ]);
      expect(await storage.nextJobDelay([external.jobType])).to.equal(null);

      const { owner: __, ...own } = createJobOffer({ jobType: external.jobType });
      await storage.commit([createRunWrite({ jobsOffered: [{ ...own, owner: null }] })]);
      await waitUntil('the job is due', async () => (await storage.nextJobDelay([external.jobType])) === 0);
    });

    it('should be listed if they have open jobs or timers', async () => {
      // given
      const { storage } = getStorage();
      const create = (minutesAgo: number) => createRunRecord({ updatedAt: currentTime() - minutesAgo * 60_000 });
      const offer = () => ({ ...createJobOffer(), owner: null });
      const arm = () => ({ timerId: nextId(), stepId: nextId(), dueAt: currentTime() + 60_000 });
      const [withJobs, withTimer] = [create(10), create(10)];
      await storage.commit([
        createExternalWrite({ run: withJobs, jobsOffered: [offer(), offer()], timersArmed: [arm()] }),
        createExternalWrite({ run: withTimer, timersArmed: [arm()] }),
        createExternalWrite({ run: create(10) }),
        createExternalWrite({ run: create(0), jobsOffered: [offer()], timersArmed: [arm()] }),
        createRunWrite({ run: create(10), jobsOffered: [offer()], timersArmed: [arm()] }),
      ]);

      // when
      const list = (after: string | null, limit: number) =>
        storage.listRunsWithOpenWork({ engine, minAgeMs: 60_000, after, limit });

      // then
      const pages: (readonly string[])[] = [];
      let position: string | null = null;
      do {
        const { runIds, last }: { runIds: readonly string[]; last: string | null } = await list(position, 2);
        pages.push(runIds);
        position = last;
      } while (position !== null);
      expect(pages.flat()).to.eql([withJobs.runId, withTimer.runId]);
      expect(pages.every(({ length }) => length <= 2)).to.equal(true);
      expect((await list(withJobs.runId, 1_000)).runIds).to.eql([withTimer.runId]);
    });

    it('should have timers that only their engine fires', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const timer = { timerId: nextId(), stepId: nextId(), dueAt: currentTime() - 60_000 };
      const [next, due] = [await storage.nextTimerAt(), await storage.listDueTimers(currentTime(), 1_000)];
      await storage.commit([createExternalWrite({ run, timersArmed: [timer] })]);

      expect(await storage.nextTimerAt()).to.equal(next);
      expect(await storage.listDueTimers(currentTime(), 1_000)).to.eql(due);
      const list = async () =>
        (await storage.listRunsWithOpenWork({ engine, minAgeMs: -60_000, after: null, limit: 10_000 })).runIds;
      expect(await list()).to.eql([run.runId]);
      await storage.commit([createExternalWrite({ run, revision: 1, timersDisarmed: [timer.timerId] })]);
      expect(await list()).to.eql([]);
    });

    it('should be announced again on request', async () => {
      // given
      const { storage, other } = getStorage();
      const [accepted, pending, embedded] = [createRunRecord(), createRunRecord(), createRunRecord()];
      await storage.commit([
        createExternalWrite({ run: accepted, announceAfterMs: null }),
        createExternalWrite({ run: pending }),
        createRunWrite({ run: embedded }),
      ]);
      await storage.commit([createExternalWrite({ run: accepted, revision: 1, announceAfterMs: null })]);
      expect(await claim()).to.eql([{ runId: pending.runId, revision: 1 }]);

      // when
      const runIds = [accepted.runId, pending.runId, embedded.runId, nextId()];
      await Promise.all([storage, other].map((each) => each.addAnnouncements(engine, runIds)));

      // then
      expect(await claim()).to.eql([{ runId: accepted.runId, revision: 2 }]);
      expect(await storage.countAnnouncements(engine)).to.include({ count: 2 });
      expect(await storage.countAnnouncements('embedded')).to.include({ count: 0 });
    });
  });
}
