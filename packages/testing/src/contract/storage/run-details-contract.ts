import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  createApprovalRecord,
  deploy,
  nextId,
  createRunEvent,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';
import { currentTime } from '@countersign/model/testing';

export function describeRunDetails(getStorage: StorageGetter): void {
  describe('events, approvals, artifacts and timers of a run', () => {
    beforeEach(() => deploy(getStorage().storage));

    it('should return events unchanged and in order', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const privateFields = {
        private: { actor: { id: 'ada' }, comment: 'ü "quoted"\n' },
        salt: 'ab',
        commitment: 'cd',
      };
      const events = [
        createRunEvent(1, { type: 'run.started', ...privateFields }),
        createRunEvent(2, { stepId: nextId(), elementId: 'build' }),
        createRunEvent(3),
        createRunEvent(4),
      ];
      await storage.commit([createRunWrite({ run, events })]);

      expect(await storage.listRunEvents(run.runId, 0, 10)).to.eql(events);
      expect(await storage.listRunEvents(run.runId, 1, 2)).to.eql(events.slice(1, 3));
      expect(await storage.listRunEvents(run.runId, 4, 2)).to.eql([]);
      expect(await storage.listRunEvents(nextId(), 0, 2)).to.eql([]);
    });

    it('should store approvals with their votes and their resolution', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const approval = createApprovalRecord(run, {
        dueAt: 1_800_000_000_123,
        description: 'Look at the diff',
        delegations: [{ from: 'bob', to: 'eve', until: null }],
        previousApprovalId: nextId(),
        round: 2,
      });
      await storage.commit([createRunWrite({ run, approvalsOpened: [approval] })]);
      expect(await storage.findApproval(approval.approvalId)).to.eql(approval);
      expect([...(await storage.findRunsOfApprovals([approval.approvalId, nextId()]))]).to.eql([
        [approval.approvalId, run.runId],
      ]);

      const votes = [
        {
          voteId: nextId(),
          decision: 'approve',
          comment: null,
          by: 'bob',
          byName: 'Bob',
          at: currentTime(),
          digest: approval.digest,
        },
        {
          voteId: nextId(),
          decision: 'reject',
          comment: 'No.',
          by: 'eve',
          byName: null,
          at: currentTime() + 1,
          digest: approval.digest,
        },
      ] as const;
      const { approvalId, candidateUsers, candidateGroups, delegations } = approval;
      const change = {
        approvalId,
        candidateUsers,
        candidateGroups,
        delegations,
        status: 'pending',
        resolvedAt: null,
        resolvedBy: null,
        votes: votes.slice(0, 1),
      } as const;
      const resolvedChange = {
        ...change,
        candidateUsers: ['eve'],
        status: 'rejected',
        resolvedAt: currentTime(),
        resolvedBy: { type: 'user', id: 'eve', name: null },
        // The first voter has contributed since voting, so the vote no longer counts.
        votes: [{ ...votes[0], counts: false }, votes[1]],
      } as const;
      await storage.commit([createRunWrite({ run, revision: 1, approvalsChanged: [change] })]);
      await storage.commit([createRunWrite({ run, revision: 2, approvalsChanged: [resolvedChange] })]);

      expect(await storage.findApproval(approvalId)).to.eql({ ...approval, ...resolvedChange });
      expect((await storage.listApprovals({ runId: run.runId }, { limit: 5 })).items).to.eql([
        { ...approval, ...resolvedChange },
      ]);
      expect(await storage.findApproval(nextId())).to.equal(undefined);
    });

    it('should keep the order of the inputs of an approval', async () => {
      const { storage } = getStorage();
      const run = createRunRecord({ businessKey: 'PO-7' });
      const { subject } = createApprovalRecord(run);
      const inputs = { zulu: 1, supplier: { name: 'ACME', iban: 'DE02' }, a: [{ y: 1, x: 2 }] };
      const approval = createApprovalRecord(run, { subject: { ...subject, inputs } });
      await storage.commit([createRunWrite({ run, approvalsOpened: [approval] })]);

      const found = await storage.findApproval(approval.approvalId);
      expect(JSON.stringify(found?.subject.inputs)).to.equal(JSON.stringify(inputs));
      expect(found?.businessKey).to.equal('PO-7');
    });

    it('should store the votes of an approval that is opened and resolved in the same commit', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const openApproval = createApprovalRecord(run);
      const votes = [
        {
          voteId: nextId(),
          decision: 'approve',
          comment: null,
          by: 'bob',
          byName: 'Bob',
          at: currentTime(),
          digest: openApproval.digest,
        },
      ] as const;
      const approval = {
        ...openApproval,
        status: 'approved',
        resolvedAt: currentTime(),
        resolvedBy: { type: 'user', id: 'bob', name: 'Bob' },
        votes,
      } as const;
      await storage.commit([createRunWrite({ run, approvalsOpened: [approval] })]);
      expect(await storage.findApproval(approval.approvalId)).to.eql(approval);
    });

    it('should find nothing for ids and filter values that cannot be stored', async () => {
      const { storage } = getStorage();
      const page = { limit: 5 };
      for (const id of ['', 'x', '\0', "'; DROP TABLE runs", `${nextId()}x`]) {
        expect(await storage.findRun(id)).to.equal(undefined);
        expect(await storage.findApproval(id)).to.equal(undefined);
        expect(await storage.findArtifact(id, 'x')).to.equal(undefined);
        expect(await storage.findWorkflowVersion(id)).to.equal(undefined);
        expect(await storage.findWorkflowVersionByDigest('release', id)).to.equal(undefined);
        expect(await storage.listWorkflowVersions(id)).to.eql([]);
        expect(await storage.listArtifacts(id)).to.eql([]);
        expect(await storage.listRunEvents(id, 0, 5)).to.eql([]);
        expect(await storage.listAudit({ runId: id }, 5)).to.eql([]);
        expect((await storage.listApprovals({ runId: id }, page)).items).to.eql([]);
      }
      for (const filter of [
        { q: '\0' },
        { startedBy: '\0' },
        { businessKey: 'a\0' },
        { workflowVersion: 1e12 },
        { startedAfter: 8.64e15 },
      ]) {
        expect((await storage.listRuns(filter, page)).items).to.eql([]);
      }
      expect(await storage.findWorkflowVersion('release', 1e12)).to.equal(undefined);
      expect(await storage.listRunEvents(nextId(), 1e12, 5)).to.eql([]);
    });

    it('should store the versions of an artifact', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const createArtifact = (name: string, version: number) => ({
        artifactId: nextId(),
        name,
        version,
        size: 5_000_000_000,
        sha256: 'ab',
        contentType: 'text/plain',
        createdAt: currentTime() + version,
        createdBy: 'ada',
      });
      const [first, second, third] = [
        createArtifact('notes.md', 1),
        createArtifact('notes.md', 2),
        createArtifact('ümlaut "x".txt', 3),
      ];
      await storage.commit([createRunWrite({ run, artifacts: [first, second, third] })]);

      expect(await storage.listArtifacts(run.runId)).to.eql(
        [first, second, third].map((item) => ({ ...item, runId: run.runId })),
      );
      expect(await storage.findArtifact(run.runId, 'notes.md')).to.include({ version: 2, size: 5_000_000_000 });
      expect(await storage.findArtifact(run.runId, 'notes.md', 1)).to.include({ version: 1 });
      expect(await storage.findArtifact(run.runId, 'notes.md', 3)).to.equal(undefined);
      expect(await storage.findArtifact(run.runId, 'none')).to.equal(undefined);
    });

    it('should return the due timers and the next due time', async () => {
      const { storage } = getStorage();
      expect(await storage.nextTimerAt()).to.equal(null);
      const run = createRunRecord();
      const createTimer = (dueAt: number) => ({ timerId: nextId(), stepId: nextId(), dueAt });
      const [firstTimer, secondTimer, thirdTimer] = [
        createTimer(1_000_123),
        createTimer(2_000_000),
        createTimer(3_000_000),
      ];
      await storage.commit([createRunWrite({ run, timersArmed: [thirdTimer, secondTimer, firstTimer] })]);

      expect(await storage.nextTimerAt()).to.equal(1_000_123);
      expect(await storage.nextTimerAt(1_000_122)).to.equal(1_000_123);
      expect(await storage.nextTimerAt(1_000_123)).to.equal(2_000_000);
      expect(await storage.nextTimerAt(3_000_000)).to.equal(null);
      expect(await storage.listDueTimers(1_000_122, 5)).to.eql([]);
      expect(await storage.listDueTimers(2_000_000, 5)).to.eql(
        [firstTimer, secondTimer].map(({ timerId, dueAt }) => ({ timerId, dueAt, runId: run.runId })),
      );
      expect(await storage.listDueTimers(9_000_000, 1)).to.have.length(1);
      const other = createRunRecord();
      await storage.commit([createRunWrite({ run: other, timersArmed: [createTimer(2_500_000)] })]);
      expect((await storage.listDueTimers(9_000_000, 1, [run.runId])).map(({ runId }) => runId)).to.eql([other.runId]);
      expect(await storage.listDueTimers(9_000_000, 5, [run.runId, other.runId])).to.eql([]);
      await storage.commit([createRunWrite({ run, revision: 1, timersDisarmed: [firstTimer.timerId] })]);
      expect(await storage.nextTimerAt()).to.equal(2_000_000);
    });
  });
}
