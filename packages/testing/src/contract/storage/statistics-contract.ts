import type { JsonObject } from '@countersign/core/plugin';
import type { RunRecord } from '@countersign/core/ports';
import type { RunEvent } from '@countersign/model';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import { deploy, nextId, createRunEvent, createRunRecord, createRunWrite } from '../storage-fixtures.js';
import { seconds } from '@countersign/model/testing';
import { currentTime } from '@countersign/model/testing';

type EventSketch = readonly [
  type: RunEvent['type'],
  stepId: string,
  atMs: number,
  data?: JsonObject,
  elementId?: string,
];

const LARGE_LIMITS = { runs: 1_000, events: 10_000 };
const TIMEOUT_MS = seconds(20);
const NO_RUNS = { total: 0, active: 0, blocked: 0, completed: 0, failed: 0, cancelled: 0, rejected: 0 };

export function describeStatistics(getStorage: StorageGetter): void {
  describe('statistics of a workflow', () => {
    beforeEach(() => deploy(getStorage().storage));

    /** Stores a run with events; the default element of an event is `work`. */
    async function storeRun(overrides: Partial<RunRecord>, events: readonly EventSketch[]): Promise<RunRecord> {
      const run = createRunRecord(overrides);
      const runEvents = events.map(([type, stepId, at, data = {}, elementId = 'work'], index): RunEvent =>
        createRunEvent(index + 1, { type, stepId, elementId, at: run.startedAt + at, data }),
      );
      await getStorage().storage.commit([createRunWrite({ run, events: runEvents })]);
      return run;
    }

    const createCompletedStep = (ms: number): readonly EventSketch[] => {
      const stepId = nextId();
      return [
        ['step.started', stepId, 0, { type: 'serviceTask' }],
        ['step.completed', stepId, ms],
      ];
    };

    it('should count runs by outcome or status, and steps by their current state', async () => {
      // given
      const [waitingStepId, failedStepId, retriedStepId, cancelledStepId] = [nextId(), nextId(), nextId(), nextId()];
      await storeRun({ status: 'completed', outcome: 'completed' }, createCompletedStep(100));
      await storeRun({ status: 'failed', outcome: 'rejected' }, [
        ...createCompletedStep(300),
        ['step.started', cancelledStepId, 0],
        ['step.cancelled', cancelledStepId, 9],
      ]);
      await storeRun({ status: 'failed', incidents: 1 }, [
        ['step.started', failedStepId, 0],
        ['step.failed', failedStepId, 1],
      ]);
      await storeRun({ status: 'active' }, [
        ['step.started', retriedStepId, 0],
        ['step.failed', retriedStepId, 1],
        ['step.retried', retriedStepId, 2],
        ['step.started', retriedStepId, 2],
      ]);
      await storeRun({ status: 'blocked' }, [
        ['step.started', waitingStepId, 0, { type: 'userTask' }, 'ok'],
        ['approval.requested', waitingStepId, 0, {}, 'ok'],
      ]);

      // when
      const found = await getStorage().other.computeWorkflowStatistics(
        { workflowId: 'release' },
        LARGE_LIMITS,
        TIMEOUT_MS,
      );

      // then
      expect(found).to.deep.include({
        complete: true,
        runs: { total: 5, active: 1, blocked: 1, completed: 1, failed: 1, cancelled: 0, rejected: 1 },
      });
      expect(found?.elements.map(({ durationMs: _timing, ...rest }) => rest)).to.deep.equal([
        {
          elementId: 'ok',
          entered: 1,
          active: 0,
          waiting: 1,
          completed: 0,
          failed: 0,
          cancelled: 0,
          approvals: { requested: 1, approved: 0, rejected: 0, changesRequested: 0, withdrawn: 0, expired: 0 },
        },
        {
          elementId: 'work',
          entered: 5,
          active: 1,
          waiting: 0,
          completed: 2,
          failed: 1,
          cancelled: 1,
          approvals: null,
        },
      ]);
      expect(found?.elements.map(({ durationMs }) => durationMs)).to.deep.equal([
        { median: null, p95: null, max: null },
        { median: 200, p95: 290, max: 300 },
      ]);
    });

    it('should count approvals by resolution, and a migrated step at its new element', async () => {
      // given
      const stepId = nextId();
      const createResolvedEvent = (status: string): EventSketch => ['approval.resolved', stepId, 5, { status }, 'ok'];
      await storeRun({ status: 'blocked' }, [
        ['step.started', stepId, 0, { type: 'userTask' }, 'ok'],
        ['approval.requested', stepId, 0, {}, 'ok'],
        createResolvedEvent('approved'),
        createResolvedEvent('rejected'),
        createResolvedEvent('changes_requested'),
        ['approval.withdrawn', stepId, 6, {}, 'ok'],
        ['approval.expired', stepId, 6, {}, 'ok'],
        ['step.migrated', stepId, 7, {}, 'check'],
        ['approval.requested', stepId, 7, {}, 'check'],
      ]);

      // when
      const found = await getStorage().storage.computeWorkflowStatistics(
        { workflowId: 'release' },
        LARGE_LIMITS,
        TIMEOUT_MS,
      );

      // then
      expect(found?.elements.map(({ elementId, waiting, approvals }) => [elementId, waiting, approvals])).to.deep.equal(
        [
          ['check', 1, { requested: 1, approved: 0, rejected: 0, changesRequested: 0, withdrawn: 0, expired: 0 }],
          ['ok', 0, { requested: 1, approved: 1, rejected: 1, changesRequested: 1, withdrawn: 1, expired: 1 }],
        ],
      );
    });

    it('should count only runs of the requested workflow, version and period', async () => {
      // given
      const { storage } = getStorage();
      const now = currentTime();
      await deploy(storage, { workflowId: 'other', digest: 'sha256:other' });
      await storeRun({ workflowId: 'other' }, createCompletedStep(1));
      await storeRun({ workflowVersion: 2, startedAt: now - 1_000 }, createCompletedStep(1));
      await storeRun({ startedAt: now - 2_000 }, createCompletedStep(1));
      const countRuns = async (filter: object): Promise<number | undefined> =>
        (await storage.computeWorkflowStatistics({ workflowId: 'release', ...filter }, LARGE_LIMITS, TIMEOUT_MS))?.runs
          .total;

      // then
      expect(await countRuns({})).to.equal(2);
      expect(await countRuns({ version: 2 })).to.equal(1);
      expect(await countRuns({ version: 2 ** 40 })).to.equal(0);
      expect(await countRuns({ startedAfter: now - 1_500 })).to.equal(1);
      expect(await countRuns({ startedBefore: now - 1_500 })).to.equal(1);
      expect(
        await storage.computeWorkflowStatistics({ workflowId: 'nothing\0' }, LARGE_LIMITS, TIMEOUT_MS),
      ).to.deep.equal({
        runs: NO_RUNS,
        elements: [],
        complete: true,
        oldestStartedAt: null,
      });
    });

    it('should evaluate only the newest runs if a limit is exceeded, and report an incomplete result', async () => {
      // given
      const { storage } = getStorage();
      const now = currentTime();
      for (let age = 4; age > 0; age -= 1)
        await storeRun({ runId: nextId(now - age * 1_000), startedAt: now - age * 1_000 }, createCompletedStep(age));

      // when
      const limitedByRuns = await storage.computeWorkflowStatistics(
        { workflowId: 'release' },
        { runs: 2, events: 100 },
        TIMEOUT_MS,
      );
      const limitedByEvents = await storage.computeWorkflowStatistics(
        { workflowId: 'release' },
        { runs: 100, events: 5 },
        TIMEOUT_MS,
      );
      const unlimited = await storage.computeWorkflowStatistics(
        { workflowId: 'release' },
        { runs: 4, events: 8 },
        TIMEOUT_MS,
      );

      // then a run that could only be read in part is not counted
      for (const found of [limitedByRuns, limitedByEvents]) {
        expect(found).to.deep.include({
          complete: false,
          runs: { ...NO_RUNS, total: 2, active: 2 },
          oldestStartedAt: now - 2_000,
        });
        expect(found?.elements[0]).to.deep.include({
          entered: 2,
          completed: 2,
          durationMs: { median: 1.5, p95: 1.95, max: 2 },
        });
      }
      expect(unlimited).to.deep.include({ complete: true, oldestStartedAt: now - 4_000 });
    });
  });
}
