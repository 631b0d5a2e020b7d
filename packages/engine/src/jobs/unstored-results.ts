import { isApiError } from '@countersign/core/plugin';
import { computeExponentialBackoffMs, type ErrorCode } from '@countersign/model';

const LATE_RESULT_CODES: ReadonlySet<string> = new Set<ErrorCode>(['job_not_active', 'run_already_ended']);
const FIRST_HOLD_MS = 30_000;
const MAX_HOLD_MS = 3_600_000;

/** Returns whether the result of a job was refused because the step has ended, or because another claim replaced this. */
export function isLateResult(error: unknown): boolean {
  return isApiError(error) && LATE_RESULT_CODES.has(error.code);
}

/**
 * Returns how long a job waits before it runs again if neither its result nor its failure can be stored, in ms. Doubles
 * with each claim, so that the work is not repeated all the time.
 *
 * @param epoch number of claims of the job
 */
export function computeHoldMs(epoch: number): number {
  return computeExponentialBackoffMs(epoch, FIRST_HOLD_MS, MAX_HOLD_MS);
}
