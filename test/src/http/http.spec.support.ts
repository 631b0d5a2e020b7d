import { ProblemError, type Approval, type Client, type Problem } from '@countersign/contract';

/** The problem that a call is refused with. */
export async function problemOf(call: Promise<unknown>): Promise<Problem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('It was not refused.');
}

/** The pending approval of a run, as soon as it is asked for. */
export async function untilApproval(client: Client, runId: string, after = 0): Promise<Approval> {
  for await (const event of client.streamRunEvents({ runId, after })) {
    if (event.type === 'approval.requested')
      return client.getApproval({ approvalId: String(event.data['approvalId']) });
  }
  throw new Error(`Run ${runId} ended without asking.`);
}
