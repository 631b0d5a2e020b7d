import type { StoragePort } from '@countersign/core/ports';
import type { PendingCommand } from './pending-command.js';
import type { RunCache } from '../caches/run-cache.js';

/** Looks up and caches the runs of the approvals and questions of a batch. Ids that do not exist are ignored. */
export async function locateRuns(
  storage: Pick<StoragePort, 'findRunsOfApprovals' | 'findRunsOfQuestions'>,
  runs: RunCache,
  batch: readonly PendingCommand[],
): Promise<void> {
  const idIfUnknown = (id: string): string[] => (runs.findRunIdOfApprovalOrQuestion(id) === undefined ? [id] : []);
  const approvals = batch.flatMap(({ target }) => (target.kind === 'approval' ? idIfUnknown(target.approvalId) : []));
  const questions = batch.flatMap(({ target }) => (target.kind === 'question' ? idIfUnknown(target.questionId) : []));
  const found = [
    ...(approvals.length === 0 ? [] : await storage.findRunsOfApprovals(approvals)),
    ...(questions.length === 0 ? [] : await storage.findRunsOfQuestions(questions)),
  ];
  for (const [id, runId] of found) runs.rememberRunId(id, runId);
}
