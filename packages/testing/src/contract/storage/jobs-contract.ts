import { expect } from 'chai';
import type { ClaimedJob } from '@countersign/core/ports';
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
import { currentTime, waitUntil } from '@countersign/model/testing';

export function describeJobs(getStorage: StorageGetter): void {
  describe('jobs', () => {
    beforeEach(() => deploy(getStorage().storage));

    const createClaimRequest = (owner: string, overrides: object = {}) => ({
      owner,
      jobTypes: ['connector'],
      limit: 10,
      leaseMs: 60_000,
      ...overrides,
    });
    const getJobIds = (jobs: readonly ClaimedJob[]) => jobs.map(({ jobId }) => jobId);

    it('should return a claimed job with all its data', async () => {
      const { storage } = getStorage();
      const { owner: _, ...offer } = createJobOffer({
        toolConstraints: { allowed: ['git'], denied: [], requireApproval: [], limits: { calls: 3 } },
      });
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, jobsOffered: [{ ...offer, owner: null }] })]);

      expect(await storage.claimJobs(createClaimRequest('a', { jobTypes: ['other'] }))).to.eql([]);
      expect(await storage.claimJobs(createClaimRequest('a'))).to.eql([{ ...offer, runId: run.runId, epoch: 1 }]);
      expect(await storage.claimJobs(createClaimRequest('b'))).to.eql([]);
    });

    it('should return which jobs were ever claimed and replace a job only if it is unclaimed', async () => {
      const { storage, other } = getStorage();
      const [ownJob, otherOwnersJob, unservedJob] = [
        createJobOffer({ owner: 'a' }),
        createJobOffer(),
        createJobOffer({ jobType: 'unserved' }),
      ];
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, jobsOffered: [ownJob, otherOwnersJob, unservedJob] })]);
      await other.claimJobs(createClaimRequest('b'));

      expect(
        (await storage.findEverClaimedJobs([ownJob, otherOwnersJob, unservedJob].map(({ jobId }) => jobId))).toSorted(),
      ).to.eql([ownJob.jobId, otherOwnersJob.jobId].sort());
      expect(await storage.findEverClaimedJobs([])).to.eql([]);
      const replacementJob = createJobOffer();
      const createReplacement = (jobId: string) =>
        createRunWrite({
          run,
          revision: 1,
          jobsWithdrawn: [jobId],
          jobsIfUnclaimed: [jobId],
          jobsOffered: [replacementJob],
        });
      expect(await storage.commit([createReplacement(otherOwnersJob.jobId)])).to.eql(['conflict']);
      expect(await storage.commit([createReplacement(nextId())])).to.eql(['conflict']);
      expect(await storage.commit([createReplacement(unservedJob.jobId)])).to.eql(['committed']);
      expect(
        getJobIds(await storage.claimJobs(createClaimRequest('a', { jobTypes: ['connector', 'unserved'] }))),
      ).to.eql([replacementJob.jobId]);
    });

    it('should return the jobs whose lease an owner still has, without jobs of other owners', async () => {
      const { storage, other } = getStorage();
      const [ownJob, withdrawnJob, otherOwnersJob, expiredJob] = [
        createJobOffer({ owner: 'a' }),
        createJobOffer({ owner: 'a' }),
        createJobOffer({ owner: 'b' }),
        createJobOffer({ owner: 'a' }),
      ];
      const run = createRunRecord();
      await storage.commit([
        createRunWrite({ run, jobsOffered: [ownJob, withdrawnJob, otherOwnersJob], leaseMs: 30_000 }),
        createRunWrite({ jobsOffered: [expiredJob], leaseMs: 0 }),
      ]);
      await other.commit([createRunWrite({ run, revision: 1, jobsWithdrawn: [withdrawnJob.jobId] })]);
      await other.claimJobs(createClaimRequest('b'));

      expect(
        await storage.findLeasedJobs(
          'a',
          [ownJob, withdrawnJob, otherOwnersJob, expiredJob].map(({ jobId }) => jobId),
        ),
      ).to.eql([ownJob.jobId]);
      expect(await storage.findLeasedJobs('a', [])).to.eql([]);
    });

    it('should leave jobs of excluded runs for a later claim', async () => {
      const { storage } = getStorage();
      const [large, small] = [createRunRecord(), createRunRecord()];
      const [first, second, other] = [createJobOffer(), createJobOffer(), createJobOffer()];
      await storage.commit([createRunWrite({ run: large, jobsOffered: [first, second] })]);
      await storage.commit([createRunWrite({ run: small, jobsOffered: [other] })]);

      const excludedRunIds = [large.runId, nextId()];
      expect(getJobIds(await storage.claimJobs(createClaimRequest('a', { excludedRunIds })))).to.eql([other.jobId]);
      expect(await storage.claimJobs(createClaimRequest('a', { excludedRunIds }))).to.eql([]);
      expect(getJobIds(await storage.claimJobs(createClaimRequest('a'))).toSorted()).to.eql(
        [first.jobId, second.jobId].toSorted(),
      );
    });

    it('should give each job to only one of two concurrent owners', async () => {
      const { storage, other } = getStorage();
      const jobs = Array.from({ length: 40 }, () => createJobOffer());
      await storage.commit(jobs.map((job) => createRunWrite({ jobsOffered: [job] })));

      const claimed = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : other).claimJobs(createClaimRequest(index % 2 === 0 ? 'a' : 'b', { limit: 5 })),
        ),
      );

      expect(new Set(claimed.flatMap(getJobIds)).size).to.equal(claimed.flat().length);
      const remainingJobs = await storage.claimJobs(createClaimRequest('a', { limit: 40 }));
      expect([...claimed.flatMap(getJobIds), ...getJobIds(remainingJobs)].sort()).to.eql(
        jobs.map(({ jobId }) => jobId).sort(),
      );
    });

    it('should reserve a job for its owner if it is offered with an owner', async () => {
      const { storage, other } = getStorage();
      const job = createJobOffer({ owner: 'a' });
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, jobsOffered: [job] })]);

      expect(await other.claimJobs(createClaimRequest('b'))).to.eql([]);
      const completion = createRunWrite({
        run,
        revision: 1,
        fence: { jobId: job.jobId, epoch: 1 },
        jobsWithdrawn: [job.jobId],
      });
      expect(await storage.commit([completion])).to.eql(['committed']);
    });

    it('should offer a job again after its lease expired and fence off the previous owner', async () => {
      const { storage, other } = getStorage();
      const job = createJobOffer();
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, jobsOffered: [job] })]);
      const [first] = await storage.claimJobs(createClaimRequest('a', { leaseMs: 1 }));
      const second = await waitUntil(
        'the job is offered again',
        async () => (await other.claimJobs(createClaimRequest('b')))[0],
      );

      expect([first?.epoch, second.epoch]).to.eql([1, 2]);
      const lateWrite = createRunWrite({
        run,
        revision: 1,
        events: [createRunEvent(1)],
        fence: { jobId: job.jobId, epoch: 1 },
        jobsWithdrawn: [job.jobId],
      });
      expect(await storage.commit([lateWrite])).to.eql(['fenced']);
      expect(await storage.listRunEvents(run.runId, 0, 1)).to.eql([]);
      expect(await storage.renewLeases('a', [job.jobId], 60_000)).to.eql([]);
      const validWrite = { ...lateWrite, fence: { jobId: job.jobId, epoch: 2 } };
      expect(await other.commit([validWrite])).to.eql(['committed']);
      expect(await storage.commit([lateWrite])).to.eql(['fenced']);
    });

    it('should renew only the leases of the given owner', async () => {
      const { storage } = getStorage();
      const [ownJob, otherOwnersJob] = [createJobOffer({ owner: 'a' }), createJobOffer({ owner: 'b' })];
      await storage.commit([createRunWrite({ jobsOffered: [ownJob, otherOwnersJob] })]);

      expect(await storage.renewLeases('a', [ownJob.jobId, otherOwnersJob.jobId], 60_000)).to.eql([ownJob.jobId]);
    });

    it('should make the jobs of an owner claimable immediately when the owner releases them', async () => {
      const { storage, other } = getStorage();
      const [ownJob, otherOwnersJob] = [createJobOffer({ owner: 'a' }), createJobOffer({ owner: 'b' })];
      await storage.commit([createRunWrite({ jobsOffered: [ownJob, otherOwnersJob] })]);

      await storage.releaseJobs('a');

      const claimed = await other.claimJobs(createClaimRequest('c'));
      expect(getJobIds(claimed)).to.eql([ownJob.jobId]);
      expect(claimed[0]?.epoch).to.equal(2);
    });

    it('should not offer a rescheduled job before its due time', async () => {
      const { storage } = getStorage();
      const job = createJobOffer({ owner: 'a' });
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, jobsOffered: [job] })]);
      expect(await storage.nextJobDelay(['other'])).to.equal(null);
      const reschedule = (revision: number, dueAt: number) =>
        storage.commit([
          createRunWrite({
            run,
            revision,
            jobsRescheduled: [{ jobId: job.jobId, dueAt, attempt: revision + 1, hasUnknownOutcome: false }],
          }),
        ]);

      await reschedule(1, currentTime() + 600_000);
      expect(await storage.claimJobs(createClaimRequest('a'))).to.eql([]);
      expect(await storage.nextJobDelay(['connector'])).to.be.within(500_000, 600_000);

      await reschedule(2, currentTime() - 1000);
      expect(await storage.nextJobDelay(['connector'])).to.equal(0);
      expect((await storage.claimJobs(createClaimRequest('a'))).map(({ attempt }) => attempt)).to.eql([3]);
    });

    it('should fence off and count the claim of an attempt whose outcome is unknown', async () => {
      const { storage } = getStorage();
      const jobs = [createJobOffer({ owner: 'a' }), createJobOffer({ owner: 'a' })];
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, jobsOffered: jobs })]);
      const dueAt = currentTime() - 1000;

      await storage.commit([
        createRunWrite({
          run,
          revision: 1,
          jobsRescheduled: jobs.map(({ jobId }, index) => ({
            jobId,
            dueAt,
            attempt: 2,
            hasUnknownOutcome: index === 1,
          })),
        }),
      ]);

      expect(
        await storage.commit([
          createRunWrite({ run, revision: 2, fence: { jobId: requireValue(jobs[1]).jobId, epoch: 1 } }),
        ]),
      ).to.eql(['fenced']);
      const claimed = new Map(
        (await storage.claimJobs(createClaimRequest('b'))).map(({ jobId, attempt, epoch }) => [
          jobId,
          [attempt, epoch],
        ]),
      );
      expect(jobs.map(({ jobId }) => claimed.get(jobId))).to.eql([
        [2, 2],
        [2, 3],
      ]);
    });

    it('should not offer a withdrawn job or accept its result', async () => {
      const { storage } = getStorage();
      const job = createJobOffer();
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, jobsOffered: [job] })]);
      await storage.commit([createRunWrite({ run, revision: 1, jobsWithdrawn: [job.jobId] })]);

      expect(await storage.claimJobs(createClaimRequest('a'))).to.eql([]);
      expect(
        await storage.commit([createRunWrite({ run, revision: 2, fence: { jobId: job.jobId, epoch: 0 } })]),
      ).to.eql(['fenced']);
    });
  });
}
