import type {
  KeyEnrolment,
  NewEnrolment,
  NewSigningKey,
  Page,
  PageRequest,
  SigningKeyRecord,
  SigningKeyStore,
} from '@countersign/core/ports';
import { type AuditEntry, isoTime } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { appendAudit } from '../audit/append-audit.js';
import { Principals } from '../audit/principals.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { inTransaction, type Queryable } from '../database/transaction.js';
import { readPage } from '../queries/read-page.js';

const COLUMNS = [
  'key_id',
  'subject',
  'name',
  'public_key',
  'proof',
  'created_at',
  'enrolled_by_method',
  'enrolled_by',
  'enrolled_at',
  'countersignature',
  'last_used_at',
  'revoked_at',
  'revoked_by',
] as const;
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM signing_keys`;

/** SigningKeyStore on PostgreSQL. */
@injectable()
export class PostgresSigningKeys implements SigningKeyStore {
  readonly #principals = new Principals();

  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  async getServerId(): Promise<string> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'server_id',
      text: 'SELECT server_id FROM server_identity',
      values: [],
    });
    if (rows[0] === undefined) throw new Error('The id of the server is missing.');
    return String(rows[0]['server_id']);
  }

  async registerKey(
    key: NewSigningKey,
    maxActiveKeys: number,
    audit: AuditEntry,
  ): Promise<SigningKeyRecord | 'crowded'> {
    await this.#principals.recordActors(this.database.pool, [audit]);
    return inTransaction(this.database.pool, async (transaction) => {
      // Serializes the registrations of a person. The lock is a separate statement, so that the next statement sees
      // concurrent commits.
      await transaction.query({
        name: 'lock_keys_of',
        text: `SELECT pg_advisory_xact_lock(hashtextextended('signing keys of ' || $1, 0))`,
        values: [key.subject],
      });
      const earlier = await transaction.query({
        name: 'find_signing_key',
        text: `${SELECT} WHERE key_id = $1`,
        values: [key.keyId],
      });
      if (earlier.rows[0] !== undefined) {
        const known = toSigningKey(earlier.rows[0]);
        if (key.enrolment === null || known.subject !== key.subject) return known;
        return (await enrol(transaction, key.keyId, { ...key.enrolment, countersignature: null }, audit)) ?? known;
      }
      const { rows } = await transaction.query({
        name: 'add_signing_key',
        text: `WITH mine AS (SELECT count(*) AS active FROM signing_keys WHERE subject = $2 AND revoked_at IS NULL),
                 added AS (
                   INSERT INTO signing_keys (key_id, subject, name, public_key, proof, created_at, enrolled_by_method, enrolled_by, enrolled_at)
                   SELECT $1, $2, $3, $4, $5, $6, $8, $9, $10 FROM mine WHERE active < $7
                   ON CONFLICT (key_id) DO NOTHING RETURNING ${COLUMNS.join(', ')}
                 )
               SELECT mine.active, added.* FROM mine LEFT JOIN added ON true`,
        values: [
          key.keyId,
          key.subject,
          key.name,
          key.publicKey,
          key.proof,
          isoTime(key.createdAt),
          maxActiveKeys,
          key.enrolment?.method ?? null,
          key.enrolment?.by ?? null,
          key.enrolment === null ? null : isoTime(key.enrolment.at),
        ],
      });
      const [added] = rows;
      if (typeof added?.['key_id'] === 'string') {
        await appendAudit(transaction, [audit]);
        return toSigningKey(added);
      }
      if (Number(added?.['active']) >= maxActiveKeys) return 'crowded';
      // Another request has registered the same key concurrently.
      const other = await transaction.query({
        name: 'find_signing_key',
        text: `${SELECT} WHERE key_id = $1`,
        values: [key.keyId],
      });
      if (other.rows[0] === undefined) throw new Error('The signing key was not added, although it does not exist.');
      return toSigningKey(other.rows[0]);
    });
  }

  async enrolKey(
    keyId: string,
    enrolment: NewEnrolment,
    audit: AuditEntry,
  ): Promise<SigningKeyRecord | 'no_countersigner' | undefined> {
    await this.#principals.recordActors(this.database.pool, [audit]);
    return inTransaction(this.database.pool, async (transaction) => {
      if (enrolment.method === 'countersignature') {
        // Waits for a concurrent revocation of the countersigning key; a later revocation waits for this transaction.
        const { rows } = await transaction.query({
          name: 'lock_countersigner',
          text: `SELECT 1 FROM signing_keys WHERE key_id = $1 AND subject = (SELECT subject FROM signing_keys WHERE key_id = $2)
                   AND revoked_at IS NULL AND enrolled_by_method IS NOT NULL FOR NO KEY UPDATE`,
          values: [enrolment.by, keyId],
        });
        if (rows.length === 0) return 'no_countersigner';
      }
      const enrolled = await enrol(transaction, keyId, enrolment, audit);
      if (enrolled !== undefined) return enrolled;
      const found = await transaction.query({
        name: 'find_signing_key',
        text: `${SELECT} WHERE key_id = $1`,
        values: [keyId],
      });
      return found.rows[0] === undefined ? undefined : toSigningKey(found.rows[0]);
    });
  }

  async revokeKey(keyId: string, owner: string | null, audit: AuditEntry): Promise<SigningKeyRecord | undefined> {
    await this.#principals.recordActors(this.database.pool, [audit]);
    return inTransaction(this.database.pool, async (transaction) => {
      const { rows } = await transaction.query({
        name: 'revoke_signing_key',
        // Waits for votes that are being committed; later votes see the revocation.
        text: `UPDATE signing_keys SET revoked_at = $3, revoked_by = $4
               WHERE key_id = $1 AND ($2::text IS NULL OR subject = $2) AND revoked_at IS NULL RETURNING ${COLUMNS.join(', ')}`,
        values: [keyId, owner, isoTime(audit.at), audit.actor?.id ?? ''],
      });
      if (rows[0] !== undefined) {
        await appendAudit(transaction, [audit]);
        return toSigningKey(rows[0]);
      }
      const found = await transaction.query({
        name: 'find_signing_key',
        text: `${SELECT} WHERE key_id = $1`,
        values: [keyId],
      });
      const key = found.rows[0] === undefined ? undefined : toSigningKey(found.rows[0]);
      return key === undefined || (owner !== null && key.subject !== owner) ? undefined : key;
    });
  }

  async findKeys(keyIds: readonly string[]): Promise<readonly SigningKeyRecord[]> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'find_signing_keys',
      text: `${SELECT} WHERE key_id = ANY($1::text[])`,
      values: [keyIds],
    });
    return rows.map(toSigningKey);
  }

  async listKeysChangedSince(since: number): Promise<readonly SigningKeyRecord[]> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'signing_keys_changed_since',
      text: `${SELECT} WHERE created_at >= $1 OR enrolled_at >= $1 OR revoked_at >= $1`,
      values: [isoTime(since)],
    });
    return rows.map(toSigningKey);
  }

  async listKeys(subject: string, page: PageRequest): Promise<Page<SigningKeyRecord>> {
    const { rows, nextCursor } = await readPage(
      this.database.knex,
      {
        table: 'signing_keys',
        list: 'signing-keys',
        filter: { subject },
        columns: COLUMNS,
        key: [
          { sql: 'created_at', type: 'timestamptz' },
          { sql: 'key_id', type: 'text' },
        ],
        direction: 'desc',
        branches: [{ pinned: [{ sql: 'subject', type: 'text', value: subject }], scanned: [] }],
      },
      page,
    );
    return { items: rows.map(toSigningKey), nextCursor };
  }
}

/** @returns `undefined` if there is nothing to enrol: the key does not exist, or is already enrolled or revoked */
async function enrol(
  transaction: Queryable,
  keyId: string,
  { method, by, at, countersignature }: NewEnrolment,
  audit: AuditEntry,
): Promise<SigningKeyRecord | undefined> {
  const { rows } = await transaction.query({
    name: 'enrol_signing_key',
    text: `UPDATE signing_keys SET enrolled_by_method = $2, enrolled_by = $3, enrolled_at = $4, countersignature = $5
           WHERE key_id = $1 AND enrolled_by_method IS NULL AND revoked_at IS NULL RETURNING ${COLUMNS.join(', ')}`,
    values: [keyId, method, by, isoTime(at), countersignature],
  });
  if (rows[0] === undefined) return undefined;
  await appendAudit(transaction, [audit]);
  return toSigningKey(rows[0]);
}

/**
 * Returns the enrolment of a key; `null` if the key is not enrolled. Keys that were registered before proofs were
 * required have no enrolment time, so their creation time is used.
 */
function toEnrolment(row: Readonly<Record<string, unknown>>): KeyEnrolment | null {
  const method = row['enrolled_by_method'] as KeyEnrolment['method'] | null;
  return method === null
    ? null
    : { method, by: row['enrolled_by'] as string | null, at: Number(row['enrolled_at'] ?? row['created_at']) };
}

function toSigningKey(row: Readonly<Record<string, unknown>>): SigningKeyRecord {
  const readTime = (name: string): number | null => (row[name] as number | null) ?? null;
  return {
    keyId: String(row['key_id']),
    subject: String(row['subject']),
    name: String(row['name']),
    publicKey: String(row['public_key']),
    proof: String(row['proof']),
    createdAt: readTime('created_at') ?? 0,
    enrolment: toEnrolment(row),
    countersignature: row['countersignature'] as string | null,
    lastUsedAt: readTime('last_used_at'),
    revokedAt: readTime('revoked_at'),
    revokedBy: row['revoked_by'] as string | null,
  };
}
