import type { JsonObject } from '@countersign/core/plugin';
import type { IdempotencyKey, StoredResponse, StoredRun } from '@countersign/core/ports';
import type { Queryable } from '../database/transaction.js';

/** Loads the current state of runs. */
export async function loadRuns(database: Queryable, runIds: readonly string[]): Promise<Map<string, StoredRun>> {
  const { rows } = await database.query({
    name: 'load_runs',
    text: `SELECT run_id, engine, revision::int8 AS revision, state::text AS state, last_event_hash, audit_seq, last_audit_hash
           FROM runs WHERE run_id = ANY($1::uuid[])`,
    values: [runIds],
  });
  return new Map(
    rows.map((row) => [
      String(row['run_id']),
      {
        engine: String(row['engine']),
        revision: Number(row['revision']),
        state: String(row['state']),
        lastEventHash: String(row['last_event_hash']),
        auditSeq: Number(row['audit_seq']),
        lastAuditHash: String(row['last_audit_hash']),
      },
    ]),
  );
}

export async function findRunsOfApprovals(
  database: Queryable,
  approvalIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await database.query({
    name: 'find_runs_of_approvals',
    text: 'SELECT approval_id, run_id FROM approvals WHERE approval_id = ANY($1::uuid[])',
    values: [approvalIds],
  });
  return new Map(rows.map((row) => [String(row['approval_id']), String(row['run_id'])]));
}

export async function findRunsOfQuestions(
  database: Queryable,
  questionIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await database.query({
    name: 'find_runs_of_questions',
    text: 'SELECT question_id, run_id FROM questions WHERE question_id = ANY($1::uuid[])',
    values: [questionIds],
  });
  return new Map(rows.map((row) => [String(row['question_id']), String(row['run_id'])]));
}

/** Stores a response, unless its key has one already. Returns the response that is stored under the key. */
export async function storeResponse(
  database: Queryable,
  { scope, key, requestDigest, response }: IdempotencyKey & StoredResponse,
): Promise<StoredResponse> {
  // Two statements, because a row that another transaction has just inserted is not in the snapshot of the conflicting
  // insert.
  await database.query({
    name: 'keep_answer',
    text: 'INSERT INTO idempotency_keys (scope, key, request_digest, response) VALUES ($1, $2, $3, $4::json) ON CONFLICT DO NOTHING',
    values: [scope, key, requestDigest, JSON.stringify(response)],
  });
  const [stored] = await findStoredResponses(database, [{ scope, key }]);
  if (stored === undefined) throw new Error('the stored response was not found');
  return stored;
}

/** Returns responses stored under idempotency keys, in the order of the keys. */
export async function findStoredResponses(
  database: Queryable,
  keys: readonly IdempotencyKey[],
): Promise<(StoredResponse | undefined)[]> {
  const { rows } = await database.query({
    name: 'find_answers',
    // LATERAL with LIMIT forces a lookup per row, regardless of the table size the planner assumes.
    text: `SELECT n.i, k.request_digest, k.response
           FROM json_to_recordset($1::json) AS n(i int, scope text, key text)
           CROSS JOIN LATERAL (
             SELECT request_digest, response FROM idempotency_keys k
             WHERE k.scope = n.scope AND k.key = n.key LIMIT 1
           ) k`,
    values: [JSON.stringify(keys.map((key, i) => ({ i, scope: key.scope, key: key.key })))],
  });
  const found = new Map(
    rows.map((row) => [
      Number(row['i']),
      { requestDigest: String(row['request_digest']), response: row['response'] as JsonObject },
    ]),
  );
  return keys.map((_key, index) => found.get(index));
}
