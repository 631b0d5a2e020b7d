import type { RunWrite } from '@countersign/core/ports';
import { selectRows, encodeRows, type CommitPart, type Row, type RowEncoding } from './commit-part.js';

/** Columns of a run that are set at its start. */
const IMMUTABLE_COLUMNS = {
  engine: 'word',
  workflow_id: 'text',
  started_at: 'moment',
  started_by: 'text',
  business_key: 'text',
  parent_run_id: 'uuid',
  root_run_id: 'uuid',
} as const;

/** Columns that each command updates. */
const MUTABLE_COLUMNS = {
  workflow_version: 'int',
  workflow_digest: 'word',
  status: 'word',
  outcome: 'text',
  cancelling: 'boolean',
  current_step: 'text',
  pending_approvals: 'int',
  pending_questions: 'int',
  incidents: 'int',
  waiting_for: 'jsonb',
  risk_level: 'word',
  error: 'jsonb',
  updated_at: 'moment',
  completed_at: 'moment',
  revision: 'bigint',
  state: 'json text',
  last_event_hash: 'word',
  audit_seq: 'int',
  last_audit_hash: 'word',
} as const;

const TABLE_COLUMNS = { run_id: 'uuid', ...IMMUTABLE_COLUMNS, ...MUTABLE_COLUMNS };

/**
 * Columns of new runs. `newest`: the workflow version must be the newest. `engine_of_workflow`: the engine to which the
 * workflow must be moved.
 */
const NEW_RUN_COLUMNS: Columns = { ...TABLE_COLUMNS, newest: 'boolean', engine_of_workflow: 'text' };

/** Columns of changed runs, with the revision on which the command was evaluated. */
const CHANGED_RUN_COLUMNS: Columns = { run_id: 'uuid', ...MUTABLE_COLUMNS, expected: 'bigint' };

/** Columns that are set at the start of a run and that an erasure changes. */
const ERASABLE_COLUMNS = { started_by: 'text', business_key: 'text' } as const;

/** Columns of changed runs with the id and epoch of a job, used if the batch contains a job result. */
const FENCED_RUN_COLUMNS: Columns = { ...CHANGED_RUN_COLUMNS, fence_job: 'uuid', fence_epoch: 'int' };

type Columns = CommitPart['columns'];

/** Kinds of run rows in a commit. The statement leaves out the other kinds, because each part has a cost. */
export interface RunKinds {
  readonly hasNew: boolean;
  readonly hasChanged: boolean;
  readonly hasFence: boolean;
  readonly hasErasure: boolean;
}

const changedColumns = ({ hasFence, hasErasure }: RunKinds): Columns => ({
  ...(hasFence ? FENCED_RUN_COLUMNS : CHANGED_RUN_COLUMNS),
  ...(hasErasure ? ERASABLE_COLUMNS : {}),
});

/** Returns the number of parameters that {@link encodeRuns} returns. */
export function countRunParameters(kinds: RunKinds): number {
  return Number(kinds.hasNew) + Number(kinds.hasChanged);
}

/**
 * Returns the common table expressions for the rows of runs: `fence` has the jobs of the batch that are still active
 * under their epoch, `ok` the runs that are written.
 *
 * @param guards further expressions, which `rejectedSql` reads
 * @param rejectedSql query for the ids of runs that must not be written; empty if there are none
 */
export function buildRunExpressions(
  kinds: RunKinds,
  encoding: RowEncoding,
  guards: readonly string[],
  rejectedSql: string,
): string {
  const notRejected = rejectedSql === '' ? '' : ` AND c.run_id NOT IN (${rejectedSql})`;
  const names = Object.keys(TABLE_COLUMNS).join(', ');
  const inserted = `
    inserted AS (
      INSERT INTO runs (${names})
      SELECT ${names} FROM (${selectRows(NEW_RUN_COLUMNS, 1, encoding)}) c
      WHERE (NOT newest OR NOT EXISTS (
        SELECT FROM workflow_versions n WHERE n.workflow_id = c.workflow_id AND n.version > c.workflow_version
      ))
        AND engine_of_workflow IS NOT DISTINCT FROM (
          SELECT e.engine FROM engines_of_workflows e WHERE e.workflow_id = c.workflow_id
        )${notRejected}
      ON CONFLICT (run_id) DO NOTHING
      RETURNING run_id
    )`;
  const changed = `
    changed AS MATERIALIZED (${selectRows(changedColumns(kinds), kinds.hasNew ? 2 : 1, encoding)})`;
  const fence = `
    fence AS MATERIALIZED (
      SELECT j.job_id FROM jobs j JOIN changed c ON c.fence_job = j.job_id AND c.fence_epoch = j.epoch
      WHERE j.job_id = ANY(ARRAY(SELECT fence_job FROM changed)) FOR UPDATE OF j
    )`;
  const updated = `
    updated AS (
      UPDATE runs AS t SET ${Object.keys({ ...MUTABLE_COLUMNS, ...(kinds.hasErasure ? ERASABLE_COLUMNS : {}) })
        .map((name) => `${name} = c.${name}`)
        .join(', ')}
      FROM changed c
      WHERE t.run_id = c.run_id AND t.run_id = ANY(ARRAY(SELECT run_id FROM changed)) AND t.revision = c.expected${notRejected}
        ${kinds.hasFence ? 'AND (c.fence_job IS NULL OR EXISTS (SELECT FROM fence f WHERE f.job_id = c.fence_job))' : ''}
      RETURNING t.run_id
    )`;
  const written = [...(kinds.hasNew ? ['inserted'] : []), ...(kinds.hasChanged ? ['updated'] : [])];
  const ok = `
    ok AS (${written.map((name) => `SELECT run_id, run_id::text AS id FROM ${name}`).join(' UNION ALL ')})`;
  return [
    ...(kinds.hasChanged ? [changed] : []),
    ...(kinds.hasFence ? [fence] : []),
    ...guards,
    ...(kinds.hasNew ? [inserted] : []),
    ...(kinds.hasChanged ? [updated] : []),
    ok,
  ].join(',');
}

function toRunRow(write: RunWrite): Row {
  const { run, next, expectedRevision, callLimit, fence } = write;
  return {
    run_id: run.runId,
    engine: run.engine,
    workflow_id: run.workflowId,
    workflow_version: run.workflowVersion,
    workflow_digest: run.workflowDigest,
    status: run.status,
    outcome: run.outcome,
    cancelling: run.cancelling,
    current_step: run.currentStep,
    pending_approvals: run.pendingApprovals,
    pending_questions: run.pendingQuestions,
    incidents: run.incidents,
    waiting_for: run.waitingFor,
    risk_level: run.riskLevel,
    error: run.error,
    started_at: run.startedAt,
    started_by: run.startedBy,
    updated_at: run.updatedAt,
    completed_at: run.completedAt,
    business_key: run.businessKey,
    parent_run_id: run.parentRunId,
    root_run_id: callLimit?.rootRunId,
    revision: next.revision,
    last_event_hash: next.lastEventHash,
    audit_seq: next.auditSeq,
    last_audit_hash: next.lastAuditHash,
    state: next.state,
    expected: expectedRevision,
    fence_job: fence?.jobId,
    fence_epoch: fence?.epoch,
    newest: write.requireNewestVersion,
    engine_of_workflow: write.engineOfWorkflow,
  };
}

const isNew = ({ expectedRevision }: RunWrite): boolean => expectedRevision === 0;
const isChanged = (write: RunWrite): boolean => !isNew(write);

/** Returns the parameters for the rows of runs, encoded by {@link encodeRows}. */
export function encodeRuns(writes: readonly RunWrite[], kinds: RunKinds, encoding: RowEncoding): string[] | undefined {
  const parameters: string[] = [];
  for (const [isPresent, columns, isOfKind] of [
    [kinds.hasNew, NEW_RUN_COLUMNS, isNew],
    [kinds.hasChanged, changedColumns(kinds), isChanged],
  ] as const) {
    if (!isPresent) continue;
    const encodedRows = encodeRows(columns, writes.filter(isOfKind).map(toRunRow), encoding);
    if (encodedRows === undefined) return undefined;
    parameters.push(encodedRows);
  }
  return parameters;
}

export function findRunKinds(writes: readonly RunWrite[]): RunKinds {
  const changed = writes.filter(isChanged);
  return {
    hasNew: changed.length < writes.length,
    hasChanged: changed.length > 0,
    hasFence: changed.some(({ fence }) => fence !== null),
    hasErasure: changed.some(({ erasure }) => erasure !== null),
  };
}
