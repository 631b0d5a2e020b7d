import { IS_CERTAIN } from '../absences/absence-queries.js';
import type { CommitPart } from './commit-part.js';

/**
 * The absences that votes rely on. Each is locked until the end of the transaction, so that its end and the vote go one after
 * the other, whichever servers they are on; and looked at by the clock of this moment, not that of the transaction's begin.
 * Nothing is written: whoever relied on one that is over, or that may be somebody else's by now, decides again.
 */
export const ABSENCE_PARTS: readonly CommitPart[] = [
  {
    name: 'absences_used',
    columns: { run_id: 'uuid', absence_id: 'uuid' },
    sql: 'SELECT run_id FROM input',
    barred: `SELECT n.run_id FROM input n WHERE n.absence_id NOT IN (
               SELECT a.absence_id FROM absences a
               WHERE a.absence_id = ANY(ARRAY(SELECT absence_id FROM input)) AND ${IS_CERTAIN}
                 AND a.starts_at <= clock_timestamp() AND a.ends_at > clock_timestamp()
               ORDER BY a.absence_id FOR SHARE OF a
             )`,
    barredResult: 'outdated',
    rows: ({ run, requiredAbsences }) =>
      requiredAbsences.map((absenceId) => ({ run_id: run.runId, absence_id: absenceId })),
  },
];
