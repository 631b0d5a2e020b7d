/** The load driver: a separate process, so that its CPU time is not counted as the server's. */
import { randomUUID } from 'node:crypto';
import { WORKFLOW_ID } from '../workload/approval-workflow.js';
import { inFlight } from '../workload/in-flight.js';
import { IN_FLIGHT } from '../workload/limits.js';
import { ApiCaller } from './api-caller.js';
import { ListFollower } from './list-follower.js';
import type { LoadAnswer, LoadOrder } from './messages.js';
import { StreamFollower } from './stream-follower.js';

async function load({ url, starterToken, approverToken, runs, following }: LoadOrder): Promise<LoadAnswer> {
  const starter = new ApiCaller(url, starterToken);
  const approver = new ApiCaller(url, approverToken);
  const follower = following === 'list' ? new ListFollower(approver) : new StreamFollower(approver);
  const startMs: number[] = [];
  const decideMs: number[] = [];
  await follower.start();
  try {
    await inFlight(runs, IN_FLIGHT, async (index) => {
      const body = {
        workflowId: WORKFLOW_ID,
        inputs: { amount: index, customer: `customer-${index}` },
        businessKey: `order-${index}`,
      };
      const { runId } = (await timed(startMs, () =>
        starter.post('/api/runs', body, { 'idempotency-key': randomUUID() }),
      )) as { runId: string };
      const approvalId = await follower.approvalOf(runId);
      await timed(decideMs, () =>
        approver.post(
          `/api/approvals/${approvalId}/decision`,
          { decision: 'approve' },
          { 'idempotency-key': randomUUID() },
        ),
      );
      const outcome = await follower.endOf(runId);
      if (outcome !== 'completed') throw new Error(`Run ${runId} ended as "${outcome}".`);
    });
  } finally {
    await follower.stop();
    starter.close();
    approver.close();
  }
  return { startMs, decideMs, otherRequests: starter.count + approver.count - 2 * runs };
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}

process.on('message', (order: LoadOrder) => {
  void load(order)
    .catch((error: unknown): LoadAnswer => ({
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    .then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
