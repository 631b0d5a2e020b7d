import { expect } from 'chai';
import type { ApprovalFilter, RunFilter, RunRecord } from '@countersign/core/ports';
import type { ApprovalRecord } from '@countersign/model';
import type { StorageGetter } from '../storage-under-test.js';
import {
  createApprovalRecord,
  deploy,
  nextId,
  requireValue,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';
import { readAll } from './read-all.js';
import { currentTime } from '@countersign/model/testing';

async function getErrorCode(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

export function describePages(getStorage: StorageGetter): void {
  describe('lists and pages', () => {
    beforeEach(() => deploy(getStorage().storage));

    const saveRuns = async (runs: readonly RunRecord[]) =>
      void (await getStorage().storage.commit(runs.map((run) => createRunWrite({ run }))));

    it('should list runs newest first without duplicates while new runs are added', async () => {
      const { storage } = getStorage();
      const runs = Array.from({ length: 7 }, () => createRunRecord());
      await saveRuns(runs);

      const first = await storage.listRuns({}, { limit: 3 });
      await saveRuns([createRunRecord()]);
      const rest = await readAll(
        (page) => storage.listRuns({}, { cursor: requireValue(first.nextCursor), ...page }),
        3,
      );

      expect([...first.items, ...rest]).to.eql([...runs].reverse());
      expect((await storage.listRuns({}, { limit: 8 })).nextCursor).to.equal(null);
    });

    it('should filter runs by each field and by combinations of fields', async () => {
      const { storage } = getStorage();
      await deploy(storage, { workflowId: 'other', digest: 'sha256:other' });
      const at = currentTime() - 3_600_000;
      const wait = { stepId: nextId(), elementId: 'x', name: null, since: at };
      const runs = {
        stuck: createRunRecord({ runId: nextId(at), businessKey: 'PR_42%', startedAt: at, updatedAt: at }),
        old: createRunRecord({
          runId: nextId(at),
          startedAt: at,
          status: 'completed',
          outcome: 'completed',
          completedAt: at,
        }),
        approval: createRunRecord({
          status: 'blocked',
          pendingApprovals: 1,
          waitingFor: [{ ...wait, kind: 'approval' }],
          riskLevel: 'critical',
        }),
        timer: createRunRecord({
          status: 'blocked',
          waitingFor: [{ ...wait, kind: 'timer', dueAt: at }],
          startedBy: 'bob',
          updatedAt: at,
        }),
        event: createRunRecord({ status: 'blocked', waitingFor: [{ ...wait, kind: 'event' }], workflowId: 'other' }),
        question: createRunRecord({
          status: 'blocked',
          pendingQuestions: 1,
          waitingFor: [{ ...wait, kind: 'question' }],
          riskLevel: 'medium',
        }),
        rejected: createRunRecord({ status: 'failed', outcome: 'rejected', completedAt: at }),
      };
      await saveRuns(Object.values(runs));
      const names = new Map(Object.entries(runs).map(([name, { runId }]) => [runId, name]));
      const list = async (filter: RunFilter) =>
        (await readAll((page) => storage.listRuns(filter, page), 2)).map(({ runId }) => names.get(runId)).reverse();

      expect(await list({ status: 'blocked' })).to.eql(['approval', 'timer', 'event', 'question']);
      expect(await list({ status: 'completed' })).to.eql(['old']);
      expect(await list({ outcome: 'completed' })).to.eql(['old']);
      expect(await list({ outcome: 'rejected' })).to.eql(['rejected']);
      expect(await list({ workflowId: 'other' })).to.eql(['event']);
      expect(await list({ workflowId: 'other', workflowVersion: 2 })).to.eql([]);
      expect(await list({ riskLevel: 'critical' })).to.eql(['approval']);
      expect(await list({ riskLevel: 'medium' })).to.eql(['question']);
      expect(await list({ startedBy: 'bob' })).to.eql(['timer']);
      expect(await list({ businessKey: 'PR_42%' })).to.eql(['stuck']);
      expect(await list({ startedBefore: at + 1000 })).to.eql(['stuck', 'old']);
      expect(await list({ startedBefore: at + 1000, status: 'completed' })).to.eql(['old']);
      expect(await list({ startedBefore: at })).to.eql([]);
      expect(await list({ startedAfter: at - 1, status: 'active' })).to.eql(['stuck']);
      expect(await list({ startedAfter: at, status: 'active' })).to.eql([]);
      expect(await list({ waitingFor: 'approval' })).to.eql(['approval']);
      expect(await list({ waitingFor: 'question' })).to.eql(['question']);
      expect(await list({ waitingFor: 'event' })).to.eql(['event']);
      expect(await list({ waitingFor: 'timer', status: 'blocked', startedBy: 'bob' })).to.eql(['timer']);
      expect(await list({ waitingFor: 'timer', status: 'active' })).to.eql([]);
      expect(await list({ stuckSince: at + 1 })).to.eql(['stuck']);
      expect(await list({ stuckSince: at })).to.eql([]);
      expect(await list({ q: 'pr_42%' })).to.eql(['stuck']);
      expect(await list({ q: '_' })).to.eql(['stuck']);
      expect(await list({ q: 'OTHER' })).to.eql(['event']);
      expect(await list({ q: runs.timer.runId.slice(4) })).to.eql(['timer']);
    });

    it('should derive the displayed status, errors and waits of a run from its child runs', async () => {
      // given
      const { storage } = getStorage();
      const wait = { stepId: nextId(), elementId: 'call', name: null, since: 2 };
      const createParentRun = (childRunId: string, overrides: Partial<RunRecord> = {}): RunRecord =>
        createRunRecord({ status: 'blocked', waitingFor: [{ ...wait, kind: 'event', childRunId }], ...overrides });
      const error = { code: 'broken', message: 'It broke.', elementId: 'x' };
      const approvalRun = createRunRecord({
        status: 'blocked',
        pendingApprovals: 1,
        waitingFor: [{ ...wait, kind: 'approval', since: 1 }],
      });
      const failedRun = createRunRecord({ status: 'failed', incidents: 1, error });
      const laterFailedRun = createRunRecord({
        status: 'failed',
        incidents: 1,
        error: { ...error, message: 'It broke later.' },
      });
      const stuckRun = createRunRecord({ updatedAt: 1 });
      const completedRun = createRunRecord({ status: 'completed', outcome: 'completed' });
      const parentOfApproval = createParentRun(approvalRun.runId);
      const runs = {
        approvalRun,
        failedRun,
        laterFailedRun,
        stuckRun,
        completedRun,
        parentOfApproval,
        grandparentOfApproval: createParentRun(parentOfApproval.runId),
        parentOfFailed: createParentRun(failedRun.runId, {
          waitingFor: [failedRun, laterFailedRun].map(({ runId }) => ({ ...wait, kind: 'event', childRunId: runId })),
        }),
        parentOfStuck: createParentRun(stuckRun.runId, { updatedAt: 1 }),
        parentOfCompleted: createParentRun(completedRun.runId),
        parentOfUnstarted: createParentRun(nextId()),
        activeParent: createParentRun(approvalRun.runId, { status: 'active' }),
        cancelledParent: createParentRun(approvalRun.runId, { status: 'failed', outcome: 'cancelled', completedAt: 3 }),
      };
      await saveRuns(Object.values(runs));
      const names = new Map(Object.entries(runs).map(([name, { runId }]) => [runId, name]));
      const list = async (filter: RunFilter) =>
        (await readAll((page) => storage.listRuns(filter, page), 2)).map(({ runId }) => names.get(runId)).reverse();

      // when
      const found = await storage.findRun(runs.grandparentOfApproval.runId);
      const failed = await storage.findRun(runs.parentOfFailed.runId);

      // then
      expect(found?.run).to.eql(runs.grandparentOfApproval);
      expect(found?.displayedRun).to.eql({
        ...runs.grandparentOfApproval,
        pendingApprovals: 1,
        waitingFor: approvalRun.waitingFor,
      });
      expect(failed?.displayedRun).to.eql({ ...runs.parentOfFailed, status: 'failed', error });
      expect(await list({ status: 'active' })).to.eql([
        'stuckRun',
        'parentOfStuck',
        'parentOfCompleted',
        'parentOfUnstarted',
        'activeParent',
      ]);
      expect(await list({ status: 'blocked' })).to.eql(['approvalRun', 'parentOfApproval', 'grandparentOfApproval']);
      expect(await list({ status: 'failed' })).to.eql([
        'failedRun',
        'laterFailedRun',
        'parentOfFailed',
        'cancelledParent',
      ]);
      expect(await list({ waitingFor: 'approval' })).to.eql([
        'approvalRun',
        'parentOfApproval',
        'grandparentOfApproval',
        'activeParent',
      ]);
      expect(await list({ waitingFor: 'event' }), 'parent runs that display their own wait').to.eql([
        'parentOfFailed',
        'parentOfStuck',
        'parentOfCompleted',
        'parentOfUnstarted',
        'cancelledParent',
      ]);
      expect(await list({ stuckSince: currentTime() + 1 }), 'a call activity counts as a wait').to.eql(['stuckRun']);
    });

    it('should list the runs that need attention, and no runs that people rejected or cancelled', async () => {
      // given
      const { storage } = getStorage();
      const at = currentTime() - 3_600_000;
      const wait = { stepId: nextId(), elementId: 'x', name: null, since: at };
      const createParentRun = (childRun: RunRecord, overrides: Partial<RunRecord> = {}): RunRecord =>
        createRunRecord({
          status: 'blocked',
          updatedAt: at,
          waitingFor: [{ ...wait, kind: 'event', childRunId: childRun.runId }],
          ...overrides,
        });
      const incident = createRunRecord({ status: 'failed', incidents: 1, businessKey: 'key' });
      const waiting = createRunRecord({ status: 'blocked', updatedAt: at, waitingFor: [{ ...wait, kind: 'timer' }] });
      const stuck = createRunRecord({ runId: nextId(at), startedAt: at, updatedAt: at, startedBy: 'bob' });
      const runs = {
        stuck,
        incident,
        rejected: createRunRecord({ status: 'failed', outcome: 'rejected', completedAt: at, businessKey: 'key' }),
        waiting,
        cancelled: createRunRecord({ status: 'failed', outcome: 'cancelled', completedAt: at, incidents: 1 }),
        parentOfIncident: createParentRun(incident),
        progressing: createRunRecord(),
        parentOfStuck: createParentRun(stuck),
        parentOfWaiting: createParentRun(waiting),
        activeParent: createParentRun(incident, { status: 'active' }),
        cancelledParent: createParentRun(incident, { status: 'failed', outcome: 'cancelled', completedAt: at }),
        completed: createRunRecord({ status: 'completed', outcome: 'completed', completedAt: at, updatedAt: at }),
        ended: createRunRecord({ status: 'failed', outcome: 'failed', completedAt: at, parentRunId: nextId() }),
      };
      await saveRuns(Object.values(runs));
      const names = new Map(Object.entries(runs).map(([name, { runId }]) => [runId, name]));
      const list = async (filter: RunFilter, limit = 2, since = at + 1) =>
        (await readAll((page) => storage.listRuns({ needsAttention: { stuckSince: since }, ...filter }, page), limit))
          .map(({ runId }) => names.get(runId))
          .reverse();

      // then
      for (const limit of [1, 2, 3, 50])
        expect(await list({}, limit), String(limit)).to.eql(['stuck', 'incident', 'parentOfIncident']);
      expect(await list({}, 2, at), 'progress at this time').to.eql(['incident', 'parentOfIncident']);
      expect(await list({ status: 'failed' })).to.eql(['incident', 'parentOfIncident']);
      expect(await list({ status: 'active' })).to.eql(['stuck']);
      expect(await list({ status: 'blocked' })).to.eql([]);
      expect(await list({ outcome: 'failed' })).to.eql([]);
      expect(await list({ outcome: 'rejected' })).to.eql([]);
      expect(await list({ outcome: 'cancelled' })).to.eql([]);
      expect(await list({ stuckSince: at + 1 })).to.eql(['stuck']);
      expect(await list({ waitingFor: 'event' })).to.eql(['parentOfIncident']);
      expect(await list({ waitingFor: 'timer' })).to.eql([]);
      expect(await list({ businessKey: 'key' })).to.eql(['incident']);
      expect(await list({ startedBy: 'bob' })).to.eql(['stuck']);
      expect(await list({ workflowId: 'other' })).to.eql([]);
      expect(await list({ root: true })).to.eql(['stuck', 'incident', 'parentOfIncident']);
      expect(await list({ parentRunId: requireValue(runs.ended.parentRunId) })).to.eql([]);
      expect(await list({ q: 'KEY' })).to.eql(['incident']);
      expect(await list({ startedAfter: at - 1 })).to.eql(['stuck', 'incident', 'parentOfIncident']);
      expect(await list({ startedAfter: at })).to.eql(['incident', 'parentOfIncident']);
      expect(await list({ startedBefore: at + 1 })).to.eql(['stuck']);
      const needsAttention = { stuckSince: at + 1 };
      expect(await storage.countRuns({ needsAttention }, 10)).to.eql({ count: 3, exact: true });
      expect(await storage.countRuns({ needsAttention, status: 'failed' }, 1)).to.eql({ count: 1, exact: false });
    });

    it('should filter runs by parent run, and root runs', async () => {
      // given
      const { storage } = getStorage();
      const root = createRunRecord();
      const childRuns = [
        createRunRecord({ parentRunId: root.runId }),
        createRunRecord({ parentRunId: root.runId, status: 'blocked' }),
        createRunRecord({ parentRunId: root.runId }),
      ];
      const grandchildRun = createRunRecord({ parentRunId: childRuns[0]?.runId ?? null });
      const other = createRunRecord();
      await saveRuns([root, ...childRuns, grandchildRun, other]);
      const list = async (filter: RunFilter) =>
        (await readAll((page) => storage.listRuns(filter, page), 2)).map(({ runId }) => runId).reverse();
      const getIds = (...runs: readonly RunRecord[]) => runs.map(({ runId }) => runId);

      // then
      expect(await list({ parentRunId: root.runId })).to.eql(getIds(...childRuns));
      expect(await list({ parentRunId: root.runId, status: 'blocked' })).to.eql(getIds(...childRuns.slice(1, 2)));
      expect(await list({ parentRunId: root.runId, startedAfter: 1 })).to.eql(getIds(...childRuns));
      expect(await list({ parentRunId: other.runId })).to.eql([]);
      expect(await list({ parentRunId: 'x' })).to.eql([]);
      expect(await list({ root: true })).to.eql(getIds(root, other));
      expect(await list({ root: false })).to.eql(getIds(...childRuns, grandchildRun));
      expect(await list({ root: true, parentRunId: root.runId })).to.eql([]);
    });

    it('should count runs up to a limit and report whether the count is exact', async () => {
      // given
      const { storage } = getStorage();
      const approvalRun = createRunRecord({ status: 'blocked', pendingApprovals: 1 });
      const parentRun = createRunRecord({
        status: 'blocked',
        waitingFor: [
          { stepId: nextId(), elementId: 'call', name: null, since: 2, kind: 'event', childRunId: approvalRun.runId },
        ],
      });
      await saveRuns([
        approvalRun,
        parentRun,
        createRunRecord(),
        createRunRecord({ businessKey: 'key' }),
        createRunRecord({ status: 'completed', outcome: 'completed' }),
      ]);

      // then
      expect(await storage.countRuns({}, 10)).to.eql({ count: 5, exact: true });
      expect(await storage.countRuns({}, 5)).to.eql({ count: 5, exact: true });
      expect(await storage.countRuns({}, 4)).to.eql({ count: 4, exact: false });
      expect(await storage.countRuns({ status: 'blocked' }, 10)).to.eql({ count: 2, exact: true });
      expect(await storage.countRuns({ waitingFor: 'approval' }, 1)).to.eql({ count: 1, exact: false });
      expect(await storage.countRuns({ q: 'KEY' }, 10)).to.eql({ count: 1, exact: true });
      expect(await storage.countRuns({ q: 'nothing of this kind' }, 10)).to.eql({ count: 0, exact: true });
      expect(await storage.countRuns({ q: '\0' }, 10)).to.eql({ count: 0, exact: true });
      expect(await storage.countRuns({ startedAfter: 1, status: 'active' }, 10)).to.eql({ count: 2, exact: true });
    });

    it('should find runs by id in the form that lists display', async () => {
      // given
      const { storage } = getStorage();
      const approvalRun = createRunRecord({
        status: 'blocked',
        pendingApprovals: 1,
        waitingFor: [{ stepId: nextId(), elementId: 'x', name: null, since: 1, kind: 'approval' }],
      });
      const parentRun = createRunRecord({
        status: 'active',
        waitingFor: [
          { stepId: nextId(), elementId: 'call', name: null, since: 2, kind: 'event', childRunId: approvalRun.runId },
        ],
      });
      const other = createRunRecord();
      await saveRuns([approvalRun, parentRun, other]);

      // when
      const found = await storage.findRuns([approvalRun.runId, nextId(), 'x', parentRun.runId, approvalRun.runId]);

      // then
      expect(found.map(({ runId }) => runId)).to.eql([parentRun.runId, approvalRun.runId]);
      expect(found[0])
        .to.include({ pendingApprovals: 1 })
        .and.have.property('waitingFor')
        .that.eqls(approvalRun.waitingFor);
      expect(await storage.findRuns([])).to.eql([]);
    });

    it('should find child runs that started long after their call by their start time, without duplicates', async () => {
      const { storage } = getStorage();
      const now = currentTime();
      const hour = 3_600_000;
      const createChildRunWrite = (calledAt: number, startedAt: number, overrides: Partial<RunRecord> = {}) =>
        createRunWrite({
          run: createRunRecord({ runId: nextId(calledAt), startedAt, parentRunId: nextId(calledAt), ...overrides }),
          callLimit: { rootRunId: nextId(calledAt), maxRuns: 9 },
        });
      const earlyWrites = [
        createChildRunWrite(now - 9 * hour, now - 9 * hour),
        createChildRunWrite(now - 8 * hour, now - 7 * hour),
      ];
      const delayedWrites = [5 * hour, 4 * hour, 3 * hour, 700_000, 600_000, 60_000].map((delay, index) =>
        createChildRunWrite(
          now - 2 * hour - delay,
          now - 2 * hour,
          index % 2 === 0 ? {} : { status: 'blocked', startedBy: 'bob' },
        ),
      );
      const recentWrites = [
        createChildRunWrite(now, now),
        createRunWrite({ run: createRunRecord({ runId: nextId(now + 1), startedAt: now }) }),
      ];
      await storage.commit([...earlyWrites, ...delayedWrites, ...recentWrites]);

      const list = async (filter: RunFilter, limit: number) =>
        (await readAll((page) => storage.listRuns(filter, page), limit)).map(({ runId }) => runId).reverse();
      const getIds = (writes: readonly { readonly run: RunRecord }[]) => writes.map(({ run }) => run.runId);
      for (const limit of [1, 3, 50]) {
        expect(await list({ startedAfter: now - 2 * hour - 1 }, limit)).to.eql(
          getIds([...delayedWrites, ...recentWrites]),
        );
        expect(await list({ startedAfter: now - 2 * hour - 1, startedBefore: now - hour }, limit)).to.eql(
          getIds(delayedWrites),
        );
        expect(await list({ startedAfter: now - 2 * hour - 1, status: 'blocked' }, limit)).to.eql(
          getIds(delayedWrites.filter((_, index) => index % 2 === 1)),
        );
        expect(await list({ startedAfter: now - 2 * hour - 1, startedBy: 'bob' }, limit)).to.eql(
          getIds(delayedWrites.filter((_, index) => index % 2 === 1)),
        );
        expect(await list({ startedAfter: now - 2 * hour }, limit)).to.eql(getIds(recentWrites));
      }
    });

    it('should refuse a cursor of another list or filter, and a forged cursor', async () => {
      const { storage } = getStorage();
      await saveRuns([createRunRecord(), createRunRecord()]);
      const cursor = requireValue((await storage.listRuns({}, { limit: 1 })).nextCursor);

      expect(await getErrorCode(storage.listRuns({ status: 'active' }, { limit: 1, cursor }))).to.equal(
        'invalid_cursor',
      );
      expect(await getErrorCode(storage.listApprovals({}, { limit: 1, cursor }))).to.equal('invalid_cursor');
      for (const invalidCursor of [
        '',
        'x',
        'W10',
        Buffer.from('["a","\' OR 1=1"]').toString('base64url'),
        cursor.slice(0, -4),
      ]) {
        expect(await getErrorCode(storage.listRuns({}, { limit: 1, cursor: invalidCursor })), invalidCursor).to.equal(
          'invalid_cursor',
        );
      }
      // Filters that differ only in a `stuckSince` share a cursor, because that time follows the clock.
      const stuck = await storage.listRuns({ stuckSince: currentTime() + 10 }, { limit: 1 });
      expect(
        (
          await storage.listRuns(
            { stuckSince: currentTime() + 1000 },
            { limit: 1, cursor: requireValue(stuck.nextCursor) },
          )
        ).items,
      ).to.have.length(1);
      const needsAttention = { stuckSince: currentTime() + 10 };
      const first = await storage.listRuns({ needsAttention }, { limit: 1 });
      const next = { limit: 1, cursor: requireValue(first.nextCursor) };
      const later = { stuckSince: currentTime() + 1000 };
      expect((await storage.listRuns({ needsAttention: later }, next)).items).to.have.length(1);
      for (const filter of [{}, later, { needsAttention, ...later }])
        expect(await getErrorCode(storage.listRuns(filter, next)), JSON.stringify(filter)).to.equal('invalid_cursor');
    });

    it('should sort approvals by age, risk, due time and urgency', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const approvals = [
        createApprovalRecord(run, { title: 'a', riskLevel: 'high', dueAt: 3000 }),
        createApprovalRecord(run, { title: 'b', riskLevel: 'low' }),
        createApprovalRecord(run, { title: 'c', riskLevel: 'critical', dueAt: 1500.5 * 2 }),
        createApprovalRecord(run, { title: 'd', riskLevel: 'high' }),
        createApprovalRecord(run, { title: 'e', riskLevel: 'medium', dueAt: 1000 }),
        createApprovalRecord(run, { title: 'f', riskLevel: 'low', status: 'approved', dueAt: 2000 }),
      ];
      await storage.commit([createRunWrite({ run, approvalsOpened: approvals })]);
      const list = async (filter: ApprovalFilter, limit = 2) =>
        (await readAll((page) => storage.listApprovals(filter, page), limit)).map(({ title }) => title).join('');

      for (const limit of [1, 2, 5, 100]) {
        expect(await list({ status: 'pending' }, limit)).to.equal('edcba');
        expect(await list({ status: 'pending', sort: 'risk' }, limit)).to.equal('cdaeb');
        expect(await list({ status: 'pending', sort: 'due' }, limit)).to.equal('eacbd');
        expect(await list({ status: 'pending', sort: 'urgency' }, limit)).to.equal('cadeb');
        expect(await list({ status: 'pending', sort: 'urgency', riskLevel: 'high' }, limit)).to.equal('ad');
        expect(await list({ sort: 'urgency' }, limit)).to.equal('cadefb');
        expect(await list({ sort: 'urgency', runId: run.runId, status: 'pending' }, limit)).to.equal('cadeb');
        expect(await list({}, limit)).to.equal('fedcba');
        expect(await list({ sort: 'risk' }, limit)).to.equal('cdaefb');
        expect(await list({ sort: 'due' }, limit)).to.equal('efacbd');
        expect(await list({ sort: 'due', runId: run.runId, status: 'pending' }, limit)).to.equal('eacbd');
        expect(await list({ sort: 'risk', q: 'release', runId: run.runId }, limit)).to.equal('cdaefb');
      }
    });

    it('should filter approvals by each field, and by the user who can vote on them', async () => {
      const { storage } = getStorage();
      const [run, another] = [createRunRecord(), createRunRecord()];
      const approvals = [
        createApprovalRecord(run, { title: 'group', candidateGroups: ['approvers', 'others'] }),
        createApprovalRecord(run, {
          title: 'user',
          candidateGroups: [],
          candidateUsers: ['bob'],
          riskLevel: 'high',
          dueAt: 1000,
        }),
        createApprovalRecord(another, { title: 'anybody', candidateGroups: [] }),
        createApprovalRecord(another, {
          title: 'delegated',
          candidateGroups: ['x'],
          delegations: [{ from: 'carl', to: 'bob', until: currentTime() + 60_000 }],
        }),
        createApprovalRecord(another, {
          title: 'expired',
          candidateGroups: ['x'],
          delegations: [{ from: 'carl', to: 'bob', until: currentTime() - 1 }],
        }),
        createApprovalRecord(another, {
          title: 'used',
          candidateGroups: ['x'],
          delegations: [{ from: 'carl', to: 'bob', until: null, voteId: nextId() }],
        }),
        createApprovalRecord(another, {
          title: 'invalid',
          candidateGroups: ['x'],
          delegations: [{ from: 'ada', to: 'bob', until: null }],
        }),
        createApprovalRecord(another, {
          title: 'excluded',
          candidateUsers: ['bob', 'ada'],
          candidateGroups: [],
          excluded: { bob: 'edited_subject' },
        }),
      ];
      await storage.commit([
        createRunWrite({ run, approvalsOpened: approvals.slice(0, 2) }),
        createRunWrite({ run: another, approvalsOpened: approvals.slice(2) }),
      ]);
      const list = async (filter: ApprovalFilter) =>
        (await readAll((page) => storage.listApprovals(filter, page), 2)).map(({ title }) => title).reverse();

      for (const sort of ['newest', 'risk', 'due', 'urgency'] as const) {
        expect(
          await list({ decidableBy: { id: 'bob', groups: ['approvers'] }, status: 'pending', sort }),
        ).to.have.members(['group', 'user', 'anybody', 'delegated']);
        expect(await list({ riskLevel: 'high', status: 'pending', sort })).to.eql(['user']);
        expect(await list({ dueBefore: 1001, status: 'pending', sort })).to.eql(['user']);
        expect(await list({ dueBefore: 1000, status: 'pending', sort })).to.eql([]);
        expect(await list({ runId: run.runId, sort, status: 'approved' })).to.eql([]);
      }
      expect(await list({ decidableBy: { id: 'bob', groups: ['approvers'] }, status: 'approved' })).to.eql([]);
      expect(await list({ undecidableBy: { id: 'bob', groups: ['approvers'] } })).to.eql([
        'expired',
        'used',
        'invalid',
        'excluded',
      ]);
      expect(await list({ decidableBy: { id: 'ada', groups: ['approvers'] } })).to.eql(['excluded']);
      expect(await list({ decidableBy: { id: 'eve', groups: [] } })).to.eql(['anybody']);
      expect(await list({ runId: run.runId })).to.eql(['group', 'user']);
      expect(await list({ workflowId: 'none' })).to.eql([]);
      expect(await list({ q: 'DELEG' })).to.eql(['delegated']);
      expect(await list({ riskLevel: 'high' })).to.eql(['user']);
    });

    it('should filter approvals by requester, group and id, and search all texts of their subjects', async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord({ businessKey: 'PO-4711' });
      const { subject } = createApprovalRecord(run);
      const approvals = [
        createApprovalRecord(run, { title: 'plain', candidateGroups: ['treasury', 'audit'], subject }),
        createApprovalRecord(run, {
          title: 'nested',
          requestedBy: 'olga',
          subject: { ...subject, inputs: { supplier: { name: 'Žižka & synové', iban: 'CZ65' } } },
        }),
        createApprovalRecord(run, { title: 'odd', subject: { ...subject, inputs: { text: 'a\u0000\ud800 needle' } } }),
        createApprovalRecord(run, {
          title: 'long',
          subject: { ...subject, inputs: { text: `${'x'.repeat(50_000)} beyond` } },
        }),
      ];
      await storage.commit([createRunWrite({ run, approvalsOpened: approvals })]);
      const list = async (filter: ApprovalFilter) =>
        (await readAll((page) => storage.listApprovals(filter, page), 2)).map(({ title }) => title).reverse();
      const ids = approvals.map(({ approvalId }) => approvalId);

      // then
      expect(await list({ requestedBy: 'olga' })).to.eql(['nested']);
      expect(await list({ candidateGroup: 'treasury' })).to.eql(['plain']);
      expect(await list({ candidateGroup: 'treas' })).to.eql([]);
      expect(await list({ approvalIds: [requireValue(ids[3]), requireValue(ids[0]), nextId()] })).to.eql([
        'plain',
        'long',
      ]);
      expect(await list({ approvalIds: ids, requestedBy: 'olga', runId: run.runId, sort: 'urgency' })).to.eql([
        'nested',
      ]);
      expect(await list({ approvalIds: ids, calledFrom: run.runId, status: 'approved' })).to.eql([]);
      expect(await list({ approvalIds: ['no id'] })).to.eql([]);
      expect(await list({ approvalIds: [] })).to.eql([]);
      expect(await list({ q: 'po-4711' })).to.eql(['plain', 'nested', 'odd', 'long']);
      expect(await list({ q: 'žižka & s' })).to.eql(['nested']);
      expect(await list({ q: 'needle' })).to.eql(['odd']);
      expect(await list({ q: 'OLGA' })).to.eql(['nested']);
      expect(await list({ q: 'beyond' })).to.eql([]);
      expect(await list({ q: '\u0000' })).to.eql([]);
      expect(
        (await storage.listInbox({ q: 'needle' }, { limit: 1 }, { type: 'user', id: 'ada' })).items[0]?.summary,
      ).to.equal('text: a \ufffd needle');
    });

    it('should list approvals as items of the inbox, in the same order and without the inputs', async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord();
      const { subject } = createApprovalRecord(run);
      const evidence = [{ name: 'notes.md', version: null, sha256: null }];
      const approvals = [
        createApprovalRecord(run, { title: 'summarized', subject: { ...subject, evidence, inputs: { amount: 7 } } }),
        createApprovalRecord(run, {
          title: 'described',
          riskLevel: 'high',
          subject: { ...subject, summary: 'Pay 7 EUR' } as typeof subject,
        }),
        createApprovalRecord(run, {
          title: 'call',
          subject: {
            ...subject,
            kind: 'tool_call',
            callId: nextId(),
            tool: 'mail.send',
            toolDigest: 'sha256:t',
            effect: 'write',
            reversible: false,
            hosts: ['mail.example.org'],
            taint: [],
            inputs: { to: 'ada' },
            evidence: [],
            agent: { name: 'writer', definitionDigest: 'sha256:a' },
            editedBy: null,
            policy: { id: 'p', digest: 'sha256:p' },
          },
        }),
      ];
      await storage.commit([createRunWrite({ run, approvalsOpened: approvals })]);

      // when
      const filter = { status: 'pending', sort: 'urgency' } as const;
      const items = await readAll((page) => storage.listInbox(filter, page, { type: 'user', id: 'ada' }), 2);

      // then
      const whole = await readAll((page) => storage.listApprovals(filter, page), 2);
      expect(items.map(({ summary: _summary, subject: _subject, comments: _comments, ...rest }) => rest)).to.eql(
        whole.map(({ subject: _subject, ...rest }) => rest),
      );
      expect(items.map(({ title, summary, subject: outline }) => [title, summary, outline])).to.eql([
        ['described', 'Pay 7 EUR', { kind: 'user_task', evidence: [] }],
        ['summarized', 'amount: 7', { kind: 'user_task', evidence }],
        [
          'call',
          'to: "ada"',
          {
            kind: 'tool_call',
            tool: 'mail.send',
            effect: 'write',
            reversible: false,
            hosts: ['mail.example.org'],
            evidence: [],
          },
        ],
      ]);
    });

    it('should count approvals and the values of their properties, up to a maximum', async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord();
      const approvals = [
        createApprovalRecord(run, { candidateGroups: ['treasury', 'audit'], requestedBy: 'olga' }),
        createApprovalRecord(run, { candidateGroups: ['treasury'], requestedBy: 'ada' }),
        createApprovalRecord(run, { candidateGroups: [], requestedBy: 'olga', riskLevel: 'high' }),
      ];
      await storage.commit([createRunWrite({ run, approvalsOpened: approvals })]);

      // then
      const filter = { status: 'pending' } as const;
      expect(await storage.countApprovals(filter, 10)).to.eql({
        total: { count: 3, exact: true },
        workflows: [{ value: run.workflowId, count: 3 }],
        requesters: [
          { value: 'olga', count: 2 },
          { value: 'ada', count: 1 },
        ],
        groups: [
          { value: 'treasury', count: 2 },
          { value: 'audit', count: 1 },
        ],
      });
      expect((await storage.countApprovals({ riskLevel: 'low' }, 10)).total).to.eql({ count: 2, exact: true });
      expect((await storage.countApprovals(filter, 2)).total).to.eql({ count: 2, exact: false });
      expect((await storage.countApprovals({ ...filter, riskLevel: 'high' }, 10)).requesters).to.eql([
        { value: 'olga', count: 1 },
      ]);
      expect((await storage.countApprovals({ ...filter, approvalIds: ['no id'] }, 10)).total).to.eql({
        count: 0,
        exact: true,
      });
    });

    it("should distinguish approvals that a person has voted on from those that await the person's vote", async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord();
      const createVote = (by: string, digest: string) =>
        ({
          voteId: nextId(),
          decision: 'approve',
          comment: null,
          by,
          byName: null,
          at: currentTime(),
          digest,
        }) as const;
      const createApproval = (title: string, overrides: Partial<ApprovalRecord> = {}) =>
        createApprovalRecord(run, {
          title,
          quorum: 2,
          candidateGroups: [],
          candidateUsers: ['bob', 'eve', 'carl'],
          ...overrides,
        });
      const approvals = [
        createApproval('untouched'),
        createApproval('voted', { votes: [createVote('bob', 'd')] }),
        createApproval('by another', { votes: [createVote('eve', 'd')] }),
        createApproval('in his place', {
          delegations: [{ from: 'bob', to: 'eve', until: null, voteId: nextId() }],
          votes: [createVote('eve', 'd')],
        }),
        createApproval('resolved', { status: 'approved', votes: [createVote('eve', 'd'), createVote('bob', 'd')] }),
        createApproval('not a candidate', { candidateUsers: ['carl'] }),
      ];
      await storage.commit([createRunWrite({ run, approvalsOpened: approvals })]);
      const list = async (filter: ApprovalFilter) =>
        (await readAll((page) => storage.listApprovals(filter, page), 2)).map(({ title }) => title).reverse();
      const bob = { id: 'bob', groups: [] };

      // then
      for (const extraFilter of [{}, { runId: run.runId }, { workflowId: 'release' }]) {
        expect(await list({ decidableBy: bob, ...extraFilter })).to.eql(['untouched', 'by another']);
        expect(await list({ undecidableBy: bob, ...extraFilter })).to.eql(['voted', 'in his place', 'not a candidate']);
        expect(await list({ votedBy: 'bob', ...extraFilter })).to.eql(['voted', 'resolved']);
        expect(await list({ votedBy: 'bob', status: 'pending', ...extraFilter })).to.eql(['voted']);
        expect(await list({ votedBy: 'nobody', ...extraFilter })).to.eql([]);
      }
      expect(await list({ votedBy: 'eve', q: 'PLACE' })).to.eql(['in his place']);
    });
  });
}
