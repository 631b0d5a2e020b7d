import type { Client } from '@countersign/contract';
import {
  approvalModel,
  createTestHost,
  processModel,
  serviceTask,
  type TestHost,
  waitUntil,
} from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { expectProblem } from './http.spec.support.js';

const CALL_ACTIVITY =
  '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="matter" /></bpmn:extensionElements></bpmn:callActivity>';
const CALLING_MODEL = processModel(
  'calling',
  `<bpmn:startEvent id="start" />${CALL_ACTIVITY}<bpmn:endEvent id="end" />`,
  'start > call',
  'call > end',
);
const TIMER_EVENT =
  '<bpmn:intermediateCatchEvent id="later"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>';
const WAITING_MODEL = processModel(
  'waiting',
  `<bpmn:startEvent id="start" />${TIMER_EVENT}<bpmn:endEvent id="end" />`,
  'start > later',
  'later > end',
);
const FAILING_MODEL = processModel(
  'failing',
  `<bpmn:startEvent id="start" />${serviceTask('fetch', 'fetch', 1)}<bpmn:endEvent id="end" />`,
  'start > fetch',
  'fetch > end',
);

describe('API: bulk operations on runs', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work', 'fetch'] });
    [viewer, operator] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
    ]);
    for (const model of [WAITING_MODEL, FAILING_MODEL, CALLING_MODEL, approvalModel('matter')])
      await countersign.deploy(model);
  });

  after(() => countersign.close());

  const start = async (workflowId: string, businessKey: string) =>
    (await viewer.startRun({ body: { workflowId, businessKey } })).runId;
  const startSeveral = (count: number, workflowId: string, key: string) =>
    Promise.all(Array.from({ length: count }, () => start(workflowId, key)));
  const waitForIncidents = (runId: string, count: number) =>
    waitUntil(`the run has ${count} incidents`, async () => (await viewer.getRun({ runId })).incidents === count);

  async function startFailedRun(key: string): Promise<string> {
    const runId = await start('failing', key);
    (await countersign.jobs.take('fetch')).fail(new Error('unreachable'));
    await waitForIncidents(runId, 1);
    return runId;
  }

  it('should count runs by the filters of the list, only for signed-in callers', async () => {
    // given
    await startSeveral(3, 'waiting', 'counted');
    const anonymousResponse = await fetch(`${countersign.url}/api/runs/count`);
    const pagedResponse = await fetch(`${countersign.url}/api/runs/count?limit=3`, {
      headers: { authorization: `Bearer ${await countersign.token('viewer')}` },
    });

    // then
    expect(await viewer.countRuns({ businessKey: 'counted' })).to.deep.equal({ count: 3, exact: true });
    expect(await viewer.countRuns({ businessKey: 'counted', status: 'failed' })).to.deep.equal({
      count: 0,
      exact: true,
    });
    expect(await viewer.countRuns({ businessKey: 'counted', root: true, stuck: false, q: 'COUNT' })).to.deep.equal({
      count: 3,
      exact: true,
    });
    expect([anonymousResponse.status, pagedResponse.status]).to.deep.equal([401, 400]);
  });

  it('should list runs by all filters combined and by their parent run', async () => {
    // given
    const runId = await start('calling', 'all-filters');
    const childRun = await waitUntil(
      'the child run starts',
      async () => (await viewer.listRuns({ parentRunId: runId })).items[0],
    );
    await countersign.jobs.complete('work');
    const filters = {
      businessKey: 'all-filters',
      waitingFor: 'approval',
      status: 'blocked',
      riskLevel: 'low',
      q: 'ALL',
      startedAfter: '2020-01-01T00:00:00Z',
      startedBefore: '2100-01-01T00:00:00Z',
    } as const;
    const foundRuns = await waitUntil('both runs wait for the approval', async () => {
      const { items } = await viewer.listRuns(filters);
      return items.length === 2 && items;
    });

    // then
    const foundRunIds = foundRuns.map((run) => run.runId);
    expect(foundRunIds).to.have.members([childRun.runId, runId]);
    expect(foundRunIds, 'newest first; runs of the same millisecond are ordered by id').to.deep.equal(
      [...foundRunIds].sort().reverse(),
    );
    const listRunIds = async (filterOverrides: object) =>
      (await viewer.listRuns({ ...filters, ...filterOverrides })).items.map((run) => run.runId);
    expect(await listRunIds({ root: true })).to.deep.equal([runId]);
    expect(await listRunIds({ root: false })).to.deep.equal([childRun.runId]);
    expect(await listRunIds({ parentRunId: runId })).to.deep.equal([childRun.runId]);
    expect(await listRunIds({ workflowId: 'calling' })).to.deep.equal([runId]);
    for (const filterWithoutMatch of [
      { outcome: 'cancelled' },
      { stuck: true },
      { riskLevel: 'high' },
      { startedAfter: '2099-01-01T00:00:00Z' },
      { q: 'other' },
    ])
      expect(await listRunIds(filterWithoutMatch), JSON.stringify(filterWithoutMatch)).to.deep.equal([]);
  });

  describe('cancellation plan', () => {
    it('should return the affected runs, their waits and the reasons for exclusions, without changing anything', async () => {
      // given
      const runIds = await startSeveral(3, 'waiting', 'plan');
      const endedRunId = await start('waiting', 'plan');
      await operator.cancelRun({ runId: endedRunId, body: { reason: 'no longer needed' } });

      // when
      const plan = await operator.bulkCancelRuns({ dryRun: true, body: { filter: { businessKey: 'plan' } } });

      // then
      expect(plan).to.deep.include({
        dryRun: true,
        operation: 'cancel',
        matched: 4,
        affected: 3,
        truncated: false,
        retry: 0,
      });
      expect(plan.excluded).to.deep.equal([{ code: 'run_already_ended', count: 1 }]);
      expect(plan.void).to.deep.equal({ approvals: 0, questions: 0, events: 0, timers: 3 });
      expect(plan.runIds).to.have.members(runIds);
      expect(plan.sample.map(({ runId }) => runId)).to.deep.equal(plan.runIds);
      expect((await viewer.listRuns({ businessKey: 'plan', status: 'blocked' })).items).to.have.length(3);
    });

    it('should include all matching runs across pages and a sample of 20', async () => {
      // given
      const runIds = await startSeveral(201, 'waiting', 'pages');

      // when
      const plan = await operator.bulkCancelRuns({
        dryRun: true,
        body: { filter: { businessKey: 'pages', status: 'blocked' } },
      });

      // then
      expect(plan).to.include({ matched: 201, affected: 201 });
      expect(plan.runIds).to.have.members(runIds);
      expect(plan.sample).to.have.length(20);
    });

    it('should exclude a child run that is cancelled with its parent run', async () => {
      // given
      const runId = await start('calling', 'family');
      await countersign.jobs.complete('work');
      const childRun = await waitUntil(
        'the child run waits for its approval',
        async () => (await viewer.listRuns({ parentRunId: runId, waitingFor: 'approval', limit: 1 })).items[0],
      );

      // when
      const planByFilter = await operator.bulkCancelRuns({ dryRun: true, body: { filter: { businessKey: 'family' } } });
      const planByIds = await operator.bulkCancelRuns({
        dryRun: true,
        body: { runIds: [childRun.runId, runId.toUpperCase(), randomUUID()] },
      });
      const childRunPlan = await operator.bulkCancelRuns({ dryRun: true, body: { runIds: [childRun.runId] } });

      // then
      expect(planByFilter).to.deep.include({
        matched: 2,
        runIds: [runId],
        excluded: [{ code: 'cancelled_with_caller', count: 1 }],
        void: { approvals: 1, questions: 0, events: 0, timers: 0 },
      });
      expect(planByIds).to.deep.include({ matched: 3, runIds: [runId] });
      expect(planByIds.excluded).to.have.deep.members([
        { code: 'cancelled_with_caller', count: 1 },
        { code: 'run_not_found', count: 1 },
      ]);
      expect(childRunPlan).to.deep.include({ runIds: [childRun.runId], excluded: [] });
    });
  });

  describe('bulk cancellation', () => {
    it('should cancel each run separately, with its own history and audit event, and return a result for each', async () => {
      // given
      const runIds = await startSeveral(3, 'waiting', 'three');
      await operator.cancelRun({ runId: runIds[1] ?? '', body: { reason: 'cancelled before the bulk request' } });
      const unknownRunId = randomUUID();

      // when
      const result = await operator.bulkCancelRuns({
        body: { runIds: [...runIds, unknownRunId], reason: 'no longer needed' },
      });

      // then
      expect(result).to.include({ operation: 'cancel', succeeded: 2, failed: 2 });
      expect(result.results.map(({ runId, ok, outcome, error }) => [runId, ok, outcome ?? error?.code])).to.deep.equal([
        [runIds[0], true, 'cancelled'],
        [runIds[1], false, 'run_already_ended'],
        [runIds[2], true, 'cancelled'],
        [unknownRunId, false, 'run_not_found'],
      ]);
      for (const runId of [runIds[0], runIds[2]]) {
        const { items } = await viewer.listRunEvents({ runId: runId ?? '' });
        expect(items.find(({ type }) => type === 'run.cancel_requested')?.data).to.deep.include({
          reason: 'no longer needed',
        });
        const audit = await operator.listAuditEvents({ runId: runId ?? '' });
        expect(audit.items.filter(({ action, actor }) => action === 'run.cancel' && actor === 'otto')).to.have.length(
          1,
        );
      }
    });

    it('should cancel no run twice when the request is repeated with the same idempotency key', async () => {
      // given
      const runIds = await startSeveral(2, 'waiting', 'repeat');
      const request = {
        method: 'POST',
        headers: {
          'authorization': `Bearer ${await countersign.token('operator', { subject: 'otto' })}`,
          'content-type': 'application/json',
          'idempotency-key': 'again',
        },
      };
      const send = async (body: object) => {
        const response = await fetch(`${countersign.url}/api/runs/bulk-cancel`, {
          ...request,
          body: JSON.stringify(body),
        });
        return {
          replayed: response.headers.get('idempotent-replayed'),
          body: (await response.json()) as {
            results: { ok: boolean; outcome: string; error: { code: string } | null }[];
          },
        };
      };
      const first = await send({ runIds: runIds.slice(0, 1), reason: 'a' });

      // when
      const second = await send({ runIds, reason: 'a' });
      const third = await send({ runIds, reason: 'a' });
      const other = await send({ runIds, reason: 'b' });

      // then
      expect([first.replayed, second.replayed, third.replayed]).to.deep.equal([null, null, 'true']);
      expect(third.body.results.map(({ ok, outcome }) => [ok, outcome])).to.deep.equal([
        [true, 'cancelled'],
        [true, 'cancelled'],
      ]);
      expect(other.body.results.map(({ error }) => error?.code)).to.deep.equal([
        'idempotency_key_reused',
        'idempotency_key_reused',
      ]);
    });

    it('should cancel the remaining runs after the client disconnects', async () => {
      // given
      const runIds = await startSeveral(200, 'waiting', 'left');
      const abortController = new AbortController();
      const headers = {
        'authorization': `Bearer ${await countersign.token('operator')}`,
        'content-type': 'application/json',
      };

      // when
      const call = fetch(`${countersign.url}/api/runs/bulk-cancel`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ runIds, reason: 'left' }),
        signal: abortController.signal,
      });
      await waitUntil(
        'the first run is cancelled',
        async () => (await viewer.listRuns({ businessKey: 'left', outcome: 'cancelled', limit: 1 })).items.length === 1,
      );
      abortController.abort();
      await call.catch(() => undefined);

      // then
      await waitUntil(
        'all runs are cancelled',
        async () =>
          (await viewer.listRuns({ businessKey: 'left', outcome: 'cancelled', limit: 200 })).items.length === 200,
      );
    });
  });

  describe('bulk recovery', () => {
    it('should plan and retry the failed runs and report other runs as not recoverable', async () => {
      // given
      const [first, second] = [await startFailedRun('recover'), await startFailedRun('recover')];
      const waitingRunId = await start('waiting', 'recover');

      // when
      const plan = await operator.bulkRecoverRuns({ dryRun: true, body: { filter: { businessKey: 'recover' } } });
      const result = await operator.bulkRecoverRuns({
        body: { runIds: [...plan.runIds, waitingRunId], comment: 'The service is available again.' },
      });

      // then
      expect(plan).to.deep.include({
        operation: 'recover',
        matched: 3,
        runIds: [second, first],
        retry: 2,
        excluded: [{ code: 'run_not_recoverable', count: 1 }],
      });
      expect(plan.void).to.deep.equal({ approvals: 0, questions: 0, events: 0, timers: 0 });
      expect(result.results.map(({ runId, status, error }) => [runId, status ?? error?.code])).to.deep.equal([
        [second, 'active'],
        [first, 'active'],
        [waitingRunId, 'run_not_recoverable'],
      ]);
      for (const runId of plan.runIds) {
        await countersign.jobs.complete('fetch');
        await waitUntil(
          'a run ends',
          async () =>
            (await viewer.listRuns({ businessKey: 'recover', outcome: 'completed' })).items.length >=
            plan.runIds.indexOf(runId) + 1,
        );
      }
    });
  });

  describe('invalid bulk requests', () => {
    const errorPointers = async (call: Promise<unknown>) =>
      (await expectProblem(call)).errors.map(({ pointer }) => pointer);

    it('should refuse a filter without a dry run, a cancellation without a reason, and a filter combined with ids', async () => {
      expect(
        await errorPointers(operator.bulkCancelRuns({ body: { filter: { status: 'active' }, reason: 'all' } })),
      ).to.deep.equal(['/filter', '/runIds']);
      expect(await errorPointers(operator.bulkCancelRuns({ body: { runIds: [randomUUID()] } }))).to.deep.equal([
        '/reason',
      ]);
      expect(await errorPointers(operator.bulkCancelRuns({ dryRun: true, body: {} }))).to.deep.equal(['']);
      expect(
        await errorPointers(operator.bulkRecoverRuns({ dryRun: true, body: { filter: {}, runIds: [randomUUID()] } })),
      ).to.deep.equal(['']);
      expect(await errorPointers(operator.bulkRecoverRuns({ body: {} }))).to.deep.equal(['/runIds']);
    });

    it('should refuse more than 1,000 runs and an empty list', async () => {
      expect(
        await expectProblem(
          operator.bulkCancelRuns({ body: { runIds: Array.from({ length: 1_001 }, () => randomUUID()), reason: 'x' } }),
        ),
      ).to.include({ status: 422 });
      expect(await expectProblem(operator.bulkCancelRuns({ body: { runIds: [], reason: 'x' } }))).to.include({
        status: 422,
      });
    });

    it('should refuse callers who are not operators, even for a dry run', async () => {
      const runIds = [await start('waiting', 'mine')];
      for (const dryRun of [true, false] as const) {
        const args = dryRun ? { dryRun, body: { runIds } } : { body: { runIds, reason: 'x' } };
        expect(await expectProblem(viewer.bulkCancelRuns(args as never))).to.include({
          status: 403,
          code: 'forbidden',
        });
        expect(await expectProblem(viewer.bulkRecoverRuns(args as never))).to.include({
          status: 403,
          code: 'forbidden',
        });
      }
    });

    it('should respond with 405 to GET on the path of bulk cancellations', async () => {
      const response = await fetch(`${countersign.url}/api/runs/bulk-cancel`, {
        headers: { authorization: `Bearer ${await countersign.token('viewer')}` },
      });
      expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'OPTIONS, POST']);
      expect(await expectProblem(viewer.getRun({ runId: randomUUID() }))).to.include({ code: 'run_not_found' });
    });
  });
});
