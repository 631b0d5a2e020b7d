import { formatDuration } from '../time/format-time.js';
import { texts } from '../texts/index.js';

const MINUTE = 60_000;

/**
 * Returns a short id that distinguishes the approvals of similar runs. It is the end of the id: the start is the time
 * (UUIDv7) and nearly the same in runs that started together.
 */
export function shortRunId(runId: string): string {
  return runId.slice(-8);
}

/**
 * Returns the age of an approval, to the minute.
 *
 * @param requestedAt RFC 3339
 * @param now in ms
 */
export function formatAge(requestedAt: string, now: number): string {
  const age = now - Date.parse(requestedAt);
  return age < MINUTE ? texts.time.justNow : texts.approvals.ago(formatDuration(Math.floor(age / MINUTE) * MINUTE));
}
