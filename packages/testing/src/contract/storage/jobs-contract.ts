import { expect } from 'chai';
import type { ClaimedJob } from '@countersign/core/ports';
import type { Subject } from '../storage-under-test.js';
import { deploy, jobOffer, nextId, present, runEvent, runRecord, runWrite } from '../storage-fixtures.js';
import { currentTime, until } from '@countersign/model/testing';

export function describeJobs(current: Subject): void {
  describe('jobs', () => {
    beforeEach(() => deploy(current().storage));

    const claim = (owner: string, overrides: object = {}) => ({
      owner,
      jobTypes: ['connector'],
      limit: 10,
      leaseMs: 60_000,
      ...overrides,
    });
    const ids = (jobs: readonly ClaimedJob[]) => jobs.map(({ jobId }) => jobId);

    it('should return a claimed job with all its data', async () => {
      const { storage } = current();
      const { owner: _, ...offer } = jobOffer({
        toolConstraints: { allowed: ['git'], denied: [], requireApproval: [], limits: { calls: 3 } },
      });
      const run = runRecord();
      await storage.commit([runWrite({ run, jobsOffered: [{ ...offer, owner: null }] })]);

      expect(await storage.claimJobs(claim('a', { jobTypes: ['other'] }))).to.eql([]);
      expect(await storage.claimJobs(claim('a'))).to.eql([{ ...offer, runId: run.runId, epoch: 1 }]);
      expect(await storage.claimJobs(claim('b'))).to.eql([]);
    });

    it('should return which jobs were ever claimed and replace a job only if it is unclaimed', async () => {
      const { storage, other } = current();
      const [mine, theirs, idle] = [jobOffer({ owner: 'a' }), jobOffer(), jobOffer({ jobType: 'unserved' })];
      const run = runRecord();
      await storage.commit([runWrite({ run, jobsOffered: [mine, theirs, idle] })]);
      await other.claimJobs(claim('b'));

      expect((await storage.findEverClaimedJobs([mine, theirs, idle].map(({ jobId }) => jobId))).toSorted()).to.eql(
        [mine.jobId, theirs.jobId].sort(),
      );
      expect(await storage.findEverClaimedJobs([])).to.eql([]);
      const instead = jobOffer();
      const replaced = (jobId: string) =>
        runWrite({ run, revision: 1, jobsWithdrawn: [jobId], jobsIfUnclaimed: [jobId], jobsOffered: [instead] });
      expect(await storage.commit([replaced(theirs.jobId)])).to.eql(['conflict']);
      expect(await storage.commit([replaced(nextId())])).to.eql(['conflict']);
      expect(await storage.commit([replaced(idle.jobId)])).to.eql(['committed']);
      expect(ids(await storage.claimJobs(claim('a', { jobTypes: ['connector', 'unserved'] })))).to.eql([instead.jobId]);
    });

    it('should return the jobs that an owner still holds, without jobs of other owners', async () => {
      const { storage, other } = current();
      const [mine, withdrawn, theirs, lost] = [
        jobOffer({ owner: 'a' }),
        jobOffer({ owner: 'a' }),
        jobOffer({ owner: 'b' }),
        jobOffer({ owner: 'a' }),
      ];
      const run = runRecord();
      await storage.commit([
        runWrite({ run, jobsOffered: [mine, withdrawn, theirs], leaseMs: 30_000 }),
        runWrite({ jobsOffered: [lost], leaseMs: 0 }),
      ]);
      await other.commit([runWrite({ run, revision: 1, jobsWithdrawn: [withdrawn.jobId] })]);
      await other.claimJobs(claim('b'));

      expect(
        await storage.findHeldJobs(
          'a',
          [mine, withdrawn, theirs, lost].map(({ jobId }) => jobId),
        ),
      ).to.eql([mine.jobId]);
      expect(await storage.findHeldJobs('a', [])).to.eql([]);
    });

    it('should leave jobs of excluded runs for a later claim', async () => {
      const { storage } = current();
      const [large, small] = [runRecord(), runRecord()];
      const [first, second, other] = [jobOffer(), jobOffer(), jobOffer()];
      await storage.commit([runWrite({ run: large, jobsOffered: [first, second] })]);
      await storage.commit([runWrite({ run: small, jobsOffered: [other] })]);

      const exceptRuns = [large.runId, nextId()];
      expect(ids(await storage.claimJobs(claim('a', { exceptRuns })))).to.eql([other.jobId]);
      expect(await storage.claimJobs(claim('a', { exceptRuns }))).to.eql([]);
      expect(ids(await storage.claimJobs(claim('a'))).toSorted()).to.eql([first.jobId, second.jobId].toSorted());
    });

    it('should give each job to only one of two concurrent owners', async () => {
      const { storage, other } = current();
      const jobs = Array.from({ length: 40 }, () => jobOffer());
      await storage.commit(jobs.map((job) => runWrite({ jobsOffered: [job] })));

      const claimed = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : other).claimJobs(claim(index % 2 === 0 ? 'a' : 'b', { limit: 5 })),
        ),
      );

      expect(new Set(claimed.flatMap(ids)).size).to.equal(claimed.flat().length);
      const rest = await storage.claimJobs(claim('a', { limit: 40 }));
      expect([...claimed.flatMap(ids), ...ids(rest)].sort()).to.eql(jobs.map(({ jobId }) => jobId).sort());
    });

    it('should reserve a job for the owner that it was offered with', async () => {
      const { storage, other } = current();
      const job = jobOffer({ owner: 'a' });
      const run = runRecord();
      await storage.commit([runWrite({ run, jobsOffered: [job] })]);

      expect(await other.claimJobs(claim('b'))).to.eql([]);
      const done = runWrite({ run, revision: 1, fence: { jobId: job.jobId, epoch: 1 }, jobsWithdrawn: [job.jobId] });
      expect(await storage.commit([done])).to.eql(['committed']);
    });

    it('should offer a job again after its lease expired and fence off the previous owner', async () => {
      const { storage, other } = current();
      const job = jobOffer();
      const run = runRecord();
      await storage.commit([runWrite({ run, jobsOffered: [job] })]);
      const [first] = await storage.claimJobs(claim('a', { leaseMs: 1 }));
      const second = await until('the job is offered again', async () => (await other.claimJobs(claim('b')))[0]);

      expect([first?.epoch, second.epoch]).to.eql([1, 2]);
      const late = runWrite({
        run,
        revision: 1,
        events: [runEvent(1)],
        fence: { jobId: job.jobId, epoch: 1 },
        jobsWithdrawn: [job.jobId],
      });
      expect(await storage.commit([late])).to.eql(['fenced']);
      expect(await storage.listRunEvents(run.runId, 0, 1)).to.eql([]);
      expect(await storage.renewLeases('a', [job.jobId], 60_000)).to.eql([]);
      const inTime = { ...late, fence: { jobId: job.jobId, epoch: 2 } };
      expect(await other.commit([inTime])).to.eql(['committed']);
      expect(await storage.commit([late])).to.eql(['fenced']);
    });

    it('should renew only the leases of the given owner', async () => {
      const { storage } = current();
      const [mine, theirs] = [jobOffer({ owner: 'a' }), jobOffer({ owner: 'b' })];
      await storage.commit([runWrite({ jobsOffered: [mine, theirs] })]);

      expect(await storage.renewLeases('a', [mine.jobId, theirs.jobId], 60_000)).to.eql([mine.jobId]);
    });

    it('should make the jobs of an owner claimable immediately when the owner releases them', async () => {
      const { storage, other } = current();
      const [mine, theirs] = [jobOffer({ owner: 'a' }), jobOffer({ owner: 'b' })];
      await storage.commit([runWrite({ jobsOffered: [mine, theirs] })]);

      await storage.releaseJobs('a');

      const claimed = await other.claimJobs(claim('c'));
      expect(ids(claimed)).to.eql([mine.jobId]);
      expect(claimed[0]?.epoch).to.equal(2);
    });

    it('should not offer a rescheduled job before its due time', async () => {
      const { storage } = current();
      const job = jobOffer({ owner: 'a' });
      const run = runRecord();
      await storage.commit([runWrite({ run, jobsOffered: [job] })]);
      expect(await storage.nextJobDelay(['other'])).to.equal(null);
      const reschedule = (revision: number, dueAt: number) =>
        storage.commit([
          runWrite({
            run,
            revision,
            jobsRescheduled: [{ jobId: job.jobId, dueAt, attempt: revision + 1, isOpen: false }],
          }),
        ]);

      await reschedule(1, currentTime() + 600_000);
      expect(await storage.claimJobs(claim('a'))).to.eql([]);
      expect(await storage.nextJobDelay(['connector'])).to.be.within(500_000, 600_000);

      await reschedule(2, currentTime() - 1000);
      expect(await storage.nextJobDelay(['connector'])).to.equal(0);
      expect((await storage.claimJobs(claim('a'))).map(({ attempt }) => attempt)).to.eql([3]);
    });

    it('should fence off and count the claim of an attempt whose outcome is unknown', async () => {
      const { storage } = current();
      const jobs = [jobOffer({ owner: 'a' }), jobOffer({ owner: 'a' })];
      const run = runRecord();
      await storage.commit([runWrite({ run, jobsOffered: jobs })]);
      const dueAt = currentTime() - 1000;

      await storage.commit([
        runWrite({
          run,
          revision: 1,
          jobsRescheduled: jobs.map(({ jobId }, index) => ({ jobId, dueAt, attempt: 2, isOpen: index === 1 })),
        }),
      ]);

      expect(
        await storage.commit([runWrite({ run, revision: 2, fence: { jobId: present(jobs[1]).jobId, epoch: 1 } })]),
      ).to.eql(['fenced']);
      const claimed = new Map(
        (await storage.claimJobs(claim('b'))).map(({ jobId, attempt, epoch }) => [jobId, [attempt, epoch]]),
      );
      expect(jobs.map(({ jobId }) => claimed.get(jobId))).to.eql([
        [2, 2],
        [2, 3],
      ]);
    });

    it('should not offer or accept a withdrawn job', async () => {
      const { storage } = current();
      const job = jobOffer();
      const run = runRecord();
      await storage.commit([runWrite({ run, jobsOffered: [job] })]);
      await storage.commit([runWrite({ run, revision: 1, jobsWithdrawn: [job.jobId] })]);

      expect(await storage.claimJobs(claim('a'))).to.eql([]);
      expect(await storage.commit([runWrite({ run, revision: 2, fence: { jobId: job.jobId, epoch: 0 } })])).to.eql([
        'fenced',
      ]);
    });
  });
}
