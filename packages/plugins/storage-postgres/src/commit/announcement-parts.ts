import type { CommitPart } from './commit-part.js';

/** Announcements to external engines. */
export const ANNOUNCEMENT_PARTS: readonly CommitPart[] = [
  {
    name: 'announcements',
    columns: { run_id: 'uuid', engine: 'text', revision: 'bigint', delay_ms: 'float8' },
    // An announcement that is still pending keeps its age, and is not made later because of this one.
    sql: `INSERT INTO announcements (run_id, engine, revision, available_at)
          SELECT run_id, engine, revision, now() + make_interval(secs => delay_ms / 1000) FROM input ORDER BY run_id
          ON CONFLICT (run_id) DO UPDATE SET revision = excluded.revision,
            available_at = least(announcements.available_at, excluded.available_at)`,
    rows: ({ run, next, announceAfterMs }) =>
      announceAfterMs === null
        ? []
        : [{ run_id: run.runId, engine: run.engine, revision: next.revision, delay_ms: announceAfterMs }],
  },
];
