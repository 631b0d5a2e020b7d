/**
 * Entry point of the child process of `LoadDriver`. It is separate, so that its CPU time is not counted as the
 * server's.
 */
import { randomUUID } from 'node:crypto';
import { WORKFLOW_ID } from '../workload/approval-workflow.js';
import { runConcurrently } from '../workload/run-concurrently.js';
import { IN_FLIGHT } from '../workload/limits.js';
import { ApiCaller } from './api-caller.js';
import { ListFollower } from './list-follower.js';
import type { LoadResponse, LoadRequest } from './messages.js';
import { StreamFollower } from './stream-follower.js';

async function generateLoad({
  url,
  starterToken,
  approverToken,
  runs,
  followMethod,
}: LoadRequest): Promise<LoadResponse> {
  const startCaller = new ApiCaller(url, starterToken);
  const approverCaller = new ApiCaller(url, approverToken);
  const follower = followMethod === 'list' ? new ListFollower(approverCaller) : new StreamFollower(approverCaller);
  const startMs: number[] = [];
  const decideMs: number[] = [];
  await follower.start();
  try {
    await runConcurrently(runs, IN_FLIGHT, async (index) => {
      const body = {
        workflowId: WORKFLOW_ID,
        inputs: { amount: index, customer: `customer-${index}` },
        businessKey: `order-${index}`,
      };
      const { runId } = (await measureTime(startMs, () =>
        startCaller.post('/api/runs', body, { 'idempotency-key': randomUUID() }),
      )) as { runId: string };
      const approvalId = await follower.waitForApproval(runId);
      await measureTime(decideMs, () =>
        approverCaller.post(
          `/api/approvals/${approvalId}/decision`,
          { decision: 'approve' },
          { 'idempotency-key': randomUUID() },
        ),
      );
      const outcome = await follower.waitForEnd(runId);
      if (outcome !== 'completed') throw new Error(`Run ${runId} ended as "${outcome}".`);
    });
  } finally {
    await follower.stop();
    startCaller.close();
    approverCaller.close();
  }
  return { startMs, decideMs, otherRequestCount: startCaller.requestCount + approverCaller.requestCount - 2 * runs };
}

async function measureTime<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}

process.on('message', (request: LoadRequest) => {
  void generateLoad(request)
    .catch((error: unknown): LoadResponse => ({
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    .then((response) => process.send?.(response));
});
process.on('disconnect', () => process.exit());
