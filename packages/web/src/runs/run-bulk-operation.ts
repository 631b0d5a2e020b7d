import { ProblemError, type BulkRunResult, type Client } from '@countersign/contract';
import { toUserMessage } from '@countersign/inbox-ui/ui/to-user-message';

export type BulkOperation = 'cancel' | 'recover';
export type BulkItem = BulkRunResult['results'][number];

/** Number of runs per request: small, so that the user sees progress and can stop before most runs are changed. */
const BATCH_SIZE = 25;

interface BulkOptions {
  readonly operation: BulkOperation;
  readonly runIds: readonly string[];
  readonly reason: string;
  readonly signal: AbortSignal;
  onProgress(results: readonly BulkItem[]): void;
}

/**
 * Cancels or recovers runs in batches, with one result for each run. A failed run does not stop the others. If the
 * request for a batch fails, each run of the batch gets that error as its result.
 */
export async function runBulkOperation(
  client: Client,
  { operation, runIds, reason, signal, onProgress }: BulkOptions,
): Promise<void> {
  const results: BulkItem[] = [];
  for (let start = 0; start < runIds.length && !signal.aborted; start += BATCH_SIZE) {
    const batch = runIds.slice(start, start + BATCH_SIZE);
    try {
      const response =
        operation === 'cancel'
          ? await client.bulkCancelRuns({ body: { runIds: batch, reason } })
          : await client.bulkRecoverRuns({ body: { runIds: batch, ...(reason !== '' && { comment: reason }) } });
      results.push(...response.results);
    } catch (error) {
      const [code, retryable] = error instanceof ProblemError ? [error.code, error.retryable] : ['no_connection', true];
      results.push(
        ...batch.map((runId) => ({
          runId,
          ok: false,
          status: null,
          outcome: null,
          error: { code, detail: toUserMessage(error), retryable },
        })),
      );
    }
    onProgress([...results]);
  }
}
