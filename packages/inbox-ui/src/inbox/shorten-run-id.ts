import { formatDuration } from '../time/format-time.js';
import { texts } from '../texts/index.js';

const MINUTE = 60_000;

/**
 * Returns the end of a run id, which distinguishes the approvals of similar runs. The start of the id is a timestamp
 * (UUIDv7), which is almost the same in runs that started together.
 */
export function shortenRunId(runId: string): string {
  return runId.slice(-8);
}

/**
 * Formats the age of an approval, to the minute.
 *
 * @param requestedAt RFC 3339
 * @param now in ms
 */
export function formatAge(requestedAt: string, now: number): string {
  const age = now - Date.parse(requestedAt);
  return age < MINUTE ? texts.time.justNow : texts.approvals.ago(formatDuration(Math.floor(age / MINUTE) * MINUTE));
}
