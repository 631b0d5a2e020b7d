import { type CachedRun, listOpenWork } from '@countersign/engine';
import { MAX_ANNOUNCED_JOBS, type RunAnnouncement } from './workflows/run-announcement.js';

/**
 * Builds the announcement of a run.
 *
 * @param now time of this server, in ms since the epoch
 */
export function buildAnnouncement(
  { revision, state }: Pick<CachedRun, 'revision' | 'state'>,
  now: number,
): RunAnnouncement {
  const { jobs, timers } = listOpenWork(state);
  const hasEnded = state.completedAt !== null;
  return {
    revision,
    hasEnded,
    jobs: jobs.slice(0, MAX_ANNOUNCED_JOBS),
    hasAllJobs: jobs.length <= MAX_ANNOUNCED_JOBS,
    nextTimerAt: timers.length === 0 ? null : timers.reduce((next, { dueAt }) => Math.min(next, dueAt), Infinity),
    sentAt: now,
  };
}
