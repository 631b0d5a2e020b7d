import { formatDuration } from '../time/format-time.js';
import { texts } from '../texts/index.js';

const MINUTE = 60_000;

/** What tells the approvals of two runs apart that are alike otherwise. The end of the id: its beginning is the time (UUIDv7), and nearly the same in runs that began together. */
export function shortRunId(runId: string): string {
  return runId.slice(-8);
}

/** How long ago it was asked, to the minute. @param requestedAt RFC 3339. @param now in ms. */
export function ageOf(requestedAt: string, now: number): string {
  const age = now - Date.parse(requestedAt);
  return age < MINUTE ? texts.time.justNow : texts.approvals.ago(formatDuration(Math.floor(age / MINUTE) * MINUTE));
}
