import { ProblemError, type Approval, type Client, type Problem, type RunDetail } from '@countersign/contract';
import { waitUntil } from '@countersign/testing';

/** Returns the problem of a refused call. */
export async function expectProblem(call: Promise<unknown>): Promise<Problem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('Expected the call to be refused, but it succeeded.');
}

/** Returns the pending approval of a run once it is requested. */
export async function waitForApproval(client: Client, runId: string, after = 0): Promise<Approval> {
  for await (const event of client.streamRunEvents({ runId, after })) {
    if (event.type === 'approval.requested')
      return client.getApproval({ approvalId: String(event.data['approvalId']) });
  }
  throw new Error(`Run ${runId} ended without requesting an approval.`);
}

/**
 * Returns a run once it has ended.
 *
 * @param limit the time limit in seconds
 */
export function waitForEnd(client: Client, runId: string, limit?: number): Promise<RunDetail> {
  return waitUntil(
    'the run ends',
    async () => {
      const run = await client.getRun({ runId });
      return run.outcome !== null && run;
    },
    limit,
  );
}
