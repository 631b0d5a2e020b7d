import { isUuid } from '@countersign/core/engine';
import { CountersignError, type JsonObject, type Refusal, type RunWrite, type StoragePort } from '@countersign/core/plugin';
import type { PendingCommand } from './pending-command.js';

export function runNotFound(runId: string): CountersignError {
  return new CountersignError('run_not_found', `There is no run ${runId}.`);
}

export function approvalNotFound(): CountersignError {
  return new CountersignError('approval_not_found', 'There is no such approval.');
}

/** What the call activity is told. */
export function calledRunsExceeded({ calledFrom }: RunWrite): CountersignError {
  const message =
    `Of the runs that come from run ${calledFrom?.rootRunId ?? ''} by call activities, ${calledFrom?.atMost ?? 0} are alive, and not more may be at once. ` +
    'If workflows call themselves without end, cancel that run. If not, recover this step when called runs have ended, or raise Limits:CalledRuns.';
  return new CountersignError('called_runs_exceeded', message);
}

/** What is no id can't be one of anything; the database would refuse it, and its whole batch with it. */
export function notAnId(target: PendingCommand['target']): CountersignError | undefined {
  if (target.kind === 'approval') return isUuid(target.approvalId) ? undefined : approvalNotFound();
  return isUuid(target.runId) ? undefined : runNotFound(target.runId);
}

/** The error that a refusal becomes. Of an approval that is resolved it says who was faster. */
export async function refusalError(
  storage: StoragePort,
  pending: PendingCommand,
  refusal: Refusal,
): Promise<CountersignError> {
  const { target } = pending;
  const late = refusal.code === 'approval_already_resolved' || refusal.code === 'run_already_ended';
  if (target.kind !== 'approval' || !late) return new CountersignError(refusal.code, refusal.message, refusal.details);
  const approval = await storage.findApproval(target.approvalId);
  if (approval === undefined) return new CountersignError(refusal.code, refusal.message, refusal.details);
  const vote = approval.votes.at(-1);
  const winner = approval.resolvedBy?.name ?? approval.resolvedBy?.id ?? null;
  const details: JsonObject = {
    status: approval.status,
    decision: vote?.decision ?? null,
    resolvedBy: approval.resolvedBy?.id ?? null,
    resolvedByName: approval.resolvedBy?.name ?? null,
    resolvedAt: approval.resolvedAt === null ? null : new Date(approval.resolvedAt).toISOString(),
  };
  const message = winner === null ? `This approval is ${approval.status}.` : `${winner} was faster: it is ${approval.status}.`;
  return new CountersignError('approval_already_resolved', message, details);
}

/** Whether the database said that a statement failed, so that its transaction certainly left nothing behind. */
export function isRolledBack(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  // SQLSTATE classes: 08 is a lost connection, 57 an operator's intervention; there the outcome is open.
  return /^[0-9A-Z]{5}$/.test(error.code) && !error.code.startsWith('08') && !error.code.startsWith('57');
}

export function unavailable(cause: unknown): CountersignError {
  if (cause instanceof CountersignError) return cause;
  const message = 'The database did not take the command. Try again; with an Idempotency-Key that is always safe.';
  return new CountersignError('service_unavailable', message, {}, { cause });
}
