import type { CommitPart } from './commit-part.js';

/**
 * DMN decisions that commands have used. The part writes nothing: if a command used a version that is no longer the
 * newest, its run is not written, and the engine evaluates the command again.
 */
export const DECISION_PARTS: readonly CommitPart[] = [
  {
    name: 'decisions_used',
    columns: { run_id: 'uuid', decision_id: 'text', version: 'int' },
    sql: 'SELECT run_id FROM input',
    rejectedSql: `SELECT n.run_id FROM input n WHERE n.version <> COALESCE(
               (SELECT d.version FROM decision_versions d WHERE d.decision_id = n.decision_id AND d.newest), 0)`,
    rejectedResult: 'outdated',
    rows: ({ run, decisionsUsed }) =>
      decisionsUsed.map(({ decisionId, version }) => ({ run_id: run.runId, decision_id: decisionId, version })),
  },
];
