import { ProblemError, type Client } from '@countersign/contract';
import { processModel, serviceTask, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { mapConcurrently } from '../conformance/map-concurrently.js';
import { buildOutline, loadVerifiedAudit, loadVerifiedEvents } from '../recovery/check-history.spec.support.js';
import { startTwoServers, type TwoServers } from '../recovery/two-servers.spec.support.js';

const RUN_COUNT = 200;
const CONCURRENCY = 8;

const RACE_MODEL = processModel(
  'race',
  `<bpmn:startEvent id="start" />${serviceTask('first', 'publish')}<bpmn:userTask id="ok" />${serviceTask('second', 'publish')}<bpmn:endEvent id="end" />`,
  'start > first',
  'first > ok',
  'ok > second',
  'second > end',
);
const timerEvent = (expression: string) =>
  `<bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${expression}</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>`;
const TIMER_MODEL = processModel(
  'timed',
  `<bpmn:startEvent id="start" />${timerEvent('=duration("PT0.2S")')}<bpmn:endEvent id="end" />`,
  'start > pause',
  'pause > end',
);
const MESSAGE_MODEL = processModel(
  'waiting',
  '<bpmn:startEvent id="start" /><bpmn:receiveTask id="receive" messageRef="signal" /><bpmn:endEvent id="end" />',
  'start > receive',
  'receive > end',
).replace(
  '<bpmn:process',
  '<bpmn:message id="signal" name="signal"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message><bpmn:process',
);

describe('two servers on one database', function () {
  this.timeout(180_000);

  let servers: TwoServers;
  let left: Client;
  let right: Client;
  let admin: Client;

  before(async () => {
    // A low limit per server, so that both servers execute jobs.
    servers = await startTwoServers({ maxActiveJobs: 2 });
    [left, right, admin] = await Promise.all([
      servers.left.client('viewer', 'vera'),
      servers.right.client('viewer', 'vera'),
      servers.left.client('admin', 'root'),
    ]);
    for (const body of [RACE_MODEL, TIMER_MODEL, MESSAGE_MODEL]) await admin.deployWorkflow({ body });
  });

  after(() => servers.stop());

  it(`should accept one of four concurrent votes on each of ${RUN_COUNT} approvals, and name the winner to the others`, async () => {
    // given
    const approvers = await Promise.all([
      servers.left.client('approver', 'ann'),
      servers.right.client('approver', 'bob'),
      servers.left.client('approver', 'cid'),
      servers.right.client('approver', 'dee'),
    ]);
    const decisions = ['approve', 'reject', 'reject', 'approve'] as const;

    // when
    const endedRuns = await mapConcurrently(Array.from({ length: RUN_COUNT }), CONCURRENCY, async () => {
      const { runId } = await left.startRun({ body: { workflowId: 'race' } });
      const approvalId = await waitUntil(
        'the run requests an approval',
        async () => (await servers.storage.listApprovals({ runId }, { limit: 1 })).items[0]?.approvalId,
      );
      const results = await Promise.allSettled(
        approvers.map((client, index) =>
          client.decideApproval({ approvalId, body: { decision: decisions[index] ?? 'reject' } }),
        ),
      );
      await waitUntil('the run ends', async () => (await servers.storage.findRun(runId))?.run.completedAt !== null);
      return { runId, approvalId, results };
    });

    // then
    const winners = new Set<string>();
    for (const { runId, approvalId, results } of endedRuns) {
      const acceptedVotes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      expect([acceptedVotes.length, refusals.length]).to.deep.equal([1, 3]);
      const winner = acceptedVotes[0]?.resolvedBy ?? '';
      winners.add(winner);
      for (const error of refusals) {
        expect(error).to.be.instanceOf(ProblemError);
        expect((error as ProblemError).problem).to.include({
          status: 409,
          code: 'approval_already_resolved',
          resolvedBy: winner,
        });
      }
      const approved = winner === 'ann' || winner === 'dee';
      expect((await servers.storage.findRun(runId))?.run).to.include({ outcome: approved ? 'completed' : 'rejected' });
      const approval = await servers.storage.findApproval(approvalId);
      expect(approval?.votes.map(({ by }) => by)).to.deep.equal([winner]);
      const events = await loadVerifiedEvents(servers.storage, runId);
      const outline = buildOutline(events);
      expect(outline.filter((line) => line === 'approval.resolved ok')).to.have.length(1);
      expect(new Set(outline.filter((line) => line.startsWith('step.completed'))).size).to.equal(
        outline.filter((line) => line.startsWith('step.completed')).length,
      );
      await loadVerifiedAudit(servers.storage, runId);
    }
    await loadVerifiedAudit(servers.storage, null);
    expect(winners.size, 'number of different winners').to.be.greaterThan(1);
  });

  it('should execute jobs on both servers, each job once', async () => {
    const client = new pg.Client({ connectionString: servers.connectionString });
    await client.connect();
    try {
      const { rows } = await client.query<{ by_process: number; jobs: number }>(
        'SELECT by_process, count(*)::int AS jobs FROM attempts GROUP BY by_process',
      );
      const repeatedJobs = await client.query('SELECT job_id FROM attempts GROUP BY job_id HAVING count(*) > 1');

      expect(rows.map((row) => row.by_process).sort()).to.deep.equal(
        [servers.left.process.pid, servers.right.process.pid].sort(),
      );
      expect(repeatedJobs.rows).to.deep.equal([]);
    } finally {
      await client.end();
    }
  });

  it('should fire each timer once', async () => {
    const runIds = await mapConcurrently(
      [...Array(30).keys()],
      30,
      async (index) => (await (index % 2 === 0 ? left : right).startRun({ body: { workflowId: 'timed' } })).runId,
    );
    for (const runId of runIds) {
      await waitUntil(
        'the timer fires',
        async () => (await servers.storage.findRun(runId))?.run.outcome === 'completed',
      );
      const outline = buildOutline(await loadVerifiedEvents(servers.storage, runId));
      expect(outline.filter((line) => line.startsWith('timer.fired'))).to.have.length(1);
      expect(outline.filter((line) => line.startsWith('run.completed'))).to.have.length(1);
    }
  });

  it('should resume a run once if both servers correlate the same message', async () => {
    const runs = await mapConcurrently(Array.from({ length: 20 }), 20, async () => {
      const correlationKey = randomUUID();
      const { runId } = await left.startRun({ body: { workflowId: 'waiting', inputs: { key: correlationKey } } });
      return { runId, correlationKey };
    });
    for (const { runId, correlationKey } of runs) {
      const correlateRequest = { type: 'correlate', messageName: 'signal', correlationKey } as const;
      const correlatedResults = await Promise.all(
        [servers.left, servers.right].map(({ process }) => process.request<{ runIds: string[] }>(correlateRequest)),
      );
      expect(correlatedResults.flatMap(({ runIds }) => runIds)).to.deep.equal([runId]);
      const outline = buildOutline(await loadVerifiedEvents(servers.storage, runId));
      expect(outline.filter((line) => line.startsWith('message.received'))).to.have.length(1);
    }
  });

  it('should start one run if both servers concurrently receive the same Idempotency-Key', async () => {
    for (let count = 0; count < 20; count += 1) {
      const idempotencyKey = randomUUID();
      const request = { body: { workflowId: 'waiting', inputs: { key: randomUUID() }, businessKey: idempotencyKey } };
      const responses = await Promise.all([left, right].map((client) => client.startRun(request, { idempotencyKey })));
      expect(responses[1]).to.deep.equal(responses[0]);
      expect((await left.listRuns({ businessKey: idempotencyKey })).items.map(({ runId }) => runId)).to.deep.equal([
        responses[0]?.runId,
      ]);
    }
  });

  it('should start a run with the version just deployed through the other server', async () => {
    for (let version = 2; version < 12; version += 1) {
      expect(
        (await right.startRun({ body: { workflowId: 'waiting', inputs: { key: randomUUID() } } })).workflowVersion,
      ).to.equal(version - 1);
      const deployed = await admin.deployWorkflow({ body: `${MESSAGE_MODEL}<!-- ${version} -->` });
      expect(deployed.version).to.equal(version);
      expect(
        (await right.startRun({ body: { workflowId: 'waiting', inputs: { key: randomUUID() } } })).workflowVersion,
      ).to.equal(version);
    }
  });
});
