/**
 * Returns the end of a run id, which distinguishes the approvals of similar runs. The start of the id is a timestamp
 * (UUIDv7), which is almost the same in runs that started together.
 */
export function shortenRunId(runId: string): string {
  return runId.slice(-8);
}
