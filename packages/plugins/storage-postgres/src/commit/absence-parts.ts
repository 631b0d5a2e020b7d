import { IS_UNAMBIGUOUS } from '../absences/absence-queries.js';
import type { CommitPart } from './commit-part.js';

/**
 * Absences that votes rely on. Each is locked until the transaction ends, so that a vote and the end of the absence are
 * serialized across servers. Absences are checked against the current time, not the start of the transaction. The part
 * writes nothing. A vote that relied on an absence that has ended, or may now belong to another person, is evaluated
 * again.
 */
export const ABSENCE_PARTS: readonly CommitPart[] = [
  {
    name: 'absences_used',
    columns: { run_id: 'uuid', absence_id: 'uuid' },
    sql: 'SELECT run_id FROM input',
    rejectedSql: `SELECT n.run_id FROM input n WHERE n.absence_id NOT IN (
               SELECT a.absence_id FROM absences a
               WHERE a.absence_id = ANY(ARRAY(SELECT absence_id FROM input)) AND ${IS_UNAMBIGUOUS}
                 AND a.starts_at <= clock_timestamp() AND a.ends_at > clock_timestamp()
               ORDER BY a.absence_id FOR SHARE OF a
             )`,
    rejectedResult: 'outdated',
    rows: ({ run, requiredAbsences }) =>
      requiredAbsences.map((absenceId) => ({ run_id: run.runId, absence_id: absenceId })),
  },
];
