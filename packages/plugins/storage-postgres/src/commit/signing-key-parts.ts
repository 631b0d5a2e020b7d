import type { CommitPart } from './commit-part.js';

/**
 * Keys that sign votes. Each key is locked until the transaction ends, so that a vote and the revocation of its key are
 * serialized across servers: if the key is revoked first, the vote is not written.
 */
export const SIGNING_KEY_PARTS: readonly CommitPart[] = [
  {
    name: 'signing_keys_used',
    columns: { run_id: 'uuid', key_id: 'word', subject: 'text', used_at: 'moment' },
    // Aggregated, because a statement may update a row only once, even if the key signed several votes of a batch.
    sql: `UPDATE signing_keys k SET last_used_at = GREATEST(k.last_used_at, n.used_at)
          FROM (SELECT key_id, max(used_at) AS used_at FROM input GROUP BY key_id) n
          WHERE k.key_id = n.key_id AND k.key_id = ANY(ARRAY(SELECT key_id FROM input))`,
    rejectedSql: `SELECT n.run_id FROM input n WHERE (n.key_id, n.subject) NOT IN (
               SELECT key_id, subject FROM signing_keys WHERE key_id = ANY(ARRAY(SELECT key_id FROM input)) AND revoked_at IS NULL AND enrolled_by_method IS NOT NULL
               ORDER BY key_id FOR NO KEY UPDATE
             )`,
    rejectedResult: 'revoked',
    rows: ({ run, signingKey }) =>
      signingKey === null
        ? []
        : [{ run_id: run.runId, key_id: signingKey.keyId, subject: signingKey.subject, used_at: run.updatedAt }],
  },
];
