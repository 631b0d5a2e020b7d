import { createInsertPart, type CommitPart } from './commit-part.js';

/** Append-only data: run events, audit events, stored responses, artifacts. */
export const HISTORY_PARTS: readonly CommitPart[] = [
  createInsertPart(
    'run_events',
    {
      run_id: 'uuid',
      seq: 'int',
      at: 'moment',
      type: 'word',
      step_id: 'uuid',
      element_id: 'text',
      data: 'jsonb text',
      private: 'jsonb text',
      salt: 'word',
      commitment: 'word',
      hash: 'word',
    },
    ({ run, events }) =>
      events.map((event) => ({
        run_id: run.runId,
        seq: event.seq,
        at: event.at,
        type: event.type,
        step_id: event.stepId,
        element_id: event.elementId,
        data: event.dataText,
        private: event.privateText,
        salt: event.salt,
        commitment: event.commitment,
        hash: event.hash,
      })),
  ),
  createInsertPart(
    'audit_events',
    {
      run_id: 'uuid',
      audit_id: 'uuid',
      seq: 'int',
      at: 'moment',
      actor_id: 'text',
      actor: 'jsonb text',
      action: 'word',
      target: 'jsonb text',
      result: 'word',
      from: 'text',
      data: 'jsonb text',
      salt: 'word',
      commitment: 'word',
      previous_hash: 'word',
      hash: 'word',
    },
    ({ run, audit }) =>
      audit.map((entry) => ({
        run_id: run.runId,
        audit_id: entry.auditId,
        seq: entry.seq,
        at: entry.at,
        actor_id: entry.actor?.id,
        actor: entry.actorText,
        action: entry.action,
        target: entry.targetText,
        result: entry.result,
        from: entry.from,
        data: entry.dataText,
        salt: entry.salt,
        commitment: entry.commitment,
        previous_hash: entry.previousHash,
        hash: entry.hash,
      })),
  ),
  createInsertPart(
    'artifacts',
    {
      run_id: 'uuid',
      artifact_id: 'uuid',
      name: 'text',
      version: 'int',
      size: 'bigint',
      sha256: 'word',
      content_type: 'text',
      created_at: 'moment',
      created_by: 'text',
    },
    ({ run, artifacts }) =>
      artifacts.map((artifact) => ({
        run_id: run.runId,
        artifact_id: artifact.artifactId,
        name: artifact.name,
        version: artifact.version,
        size: artifact.size,
        sha256: artifact.sha256,
        content_type: artifact.contentType,
        created_at: artifact.createdAt,
        created_by: artifact.createdBy,
      })),
  ),
  {
    name: 'new_answers',
    columns: { run_id: 'uuid', scope: 'text', key: 'text', request_digest: 'text', response: 'json' },
    sql: `INSERT INTO idempotency_keys (scope, key, request_digest, response)
          SELECT scope, key, request_digest, response FROM input`,
    // LATERAL with LIMIT forces an index lookup per row, regardless of the table size the planner assumes. A concurrent
    // use of the key violates the primary key.
    rejectedSql: `SELECT n.run_id FROM input n CROSS JOIN LATERAL (
               SELECT FROM idempotency_keys k WHERE k.scope = n.scope AND k.key = n.key LIMIT 1
             ) AS known`,
    rejectedResult: 'answered',
    rows: ({ run, storedResponse: response }) =>
      response === null
        ? []
        : [
            {
              run_id: run.runId,
              scope: response.scope,
              key: response.key,
              request_digest: response.requestDigest,
              response: response.response,
            },
          ],
  },
];
