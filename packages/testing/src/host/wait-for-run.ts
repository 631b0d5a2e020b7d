import type { Approval, Client, RunDetail } from '@countersign/contract';
import { waitUntil } from '@countersign/model/testing';

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
