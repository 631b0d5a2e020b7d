import {
  isoTime,
  type AuditEntry,
  type NewSigningKey,
  type Page,
  type PageRequest,
  type SigningKeyRecord,
  type SigningKeyStore,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { appendAudit } from '../audit/append-audit.js';
import { Principals } from '../audit/principals.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { inTransaction } from '../database/transaction.js';
import { readPage } from '../queries/read-page.js';

const COLUMNS = [
  'key_id',
  'subject',
  'name',
  'public_key',
  'proof',
  'created_at',
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

  async serverId(): Promise<string> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'server_id',
      text: 'SELECT server_id FROM server_identity',
      values: [],
    });
    if (rows[0] === undefined) throw new Error('The id of the server is missing.');
    return String(rows[0]['server_id']);
  }

  async registerKey(key: NewSigningKey, atMost: number, audit: AuditEntry): Promise<SigningKeyRecord | 'crowded'> {
    await this.#principals.note(this.database.pool, [audit]);
    return inTransaction(this.database.pool, async (transaction) => {
      // Nobody else counts the keys of this person meanwhile. A statement of its own: the next one sees what others did before.
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
      if (earlier.rows[0] !== undefined) return keyOf(earlier.rows[0]);
      const { rows } = await transaction.query({
        name: 'add_signing_key',
        text: `WITH mine AS (SELECT count(*) AS active FROM signing_keys WHERE subject = $2 AND revoked_at IS NULL),
                 added AS (
                   INSERT INTO signing_keys (key_id, subject, name, public_key, proof, created_at)
                   SELECT $1, $2, $3, $4, $5, $6 FROM mine WHERE active < $7
                   ON CONFLICT (key_id) DO NOTHING RETURNING ${COLUMNS.join(', ')}
                 )
               SELECT mine.active, added.* FROM mine LEFT JOIN added ON true`,
        values: [key.keyId, key.subject, key.name, key.publicKey, key.proof, isoTime(key.createdAt), atMost],
      });
      const [added] = rows;
      if (typeof added?.['key_id'] === 'string') {
        await appendAudit(transaction, [audit]);
        return keyOf(added);
      }
      if (Number(added?.['active']) >= atMost) return 'crowded';
      // Somebody else has registered the same key at the same time.
      const other = await transaction.query({
        name: 'find_signing_key',
        text: `${SELECT} WHERE key_id = $1`,
        values: [key.keyId],
      });
      if (other.rows[0] === undefined) throw new Error('A signing key is neither there nor could it be added.');
      return keyOf(other.rows[0]);
    });
  }

  async revokeKey(keyId: string, owner: string | null, audit: AuditEntry): Promise<SigningKeyRecord | undefined> {
    await this.#principals.note(this.database.pool, [audit]);
    return inTransaction(this.database.pool, async (transaction) => {
      const { rows } = await transaction.query({
        name: 'revoke_signing_key',
        // It waits for votes that are being counted, and those that come after see it revoked.
        text: `UPDATE signing_keys SET revoked_at = $3, revoked_by = $4
               WHERE key_id = $1 AND ($2::text IS NULL OR subject = $2) AND revoked_at IS NULL RETURNING ${COLUMNS.join(', ')}`,
        values: [keyId, owner, isoTime(audit.at), audit.actor?.id ?? ''],
      });
      if (rows[0] !== undefined) {
        await appendAudit(transaction, [audit]);
        return keyOf(rows[0]);
      }
      const found = await transaction.query({
        name: 'find_signing_key',
        text: `${SELECT} WHERE key_id = $1`,
        values: [keyId],
      });
      const key = found.rows[0] === undefined ? undefined : keyOf(found.rows[0]);
      return key === undefined || (owner !== null && key.subject !== owner) ? undefined : key;
    });
  }

  async findKeys(keyIds: readonly string[]): Promise<readonly SigningKeyRecord[]> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'find_signing_keys',
      text: `${SELECT} WHERE key_id = ANY($1::text[])`,
      values: [keyIds],
    });
    return rows.map(keyOf);
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
    return { items: rows.map(keyOf), nextCursor };
  }
}

function keyOf(row: Readonly<Record<string, unknown>>): SigningKeyRecord {
  const time = (name: string): number | null => (row[name] as number | null) ?? null;
  return {
    keyId: String(row['key_id']),
    subject: String(row['subject']),
    name: String(row['name']),
    publicKey: String(row['public_key']),
    proof: String(row['proof']),
    createdAt: time('created_at') ?? 0,
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
    revokedBy: row['revoked_by'] as string | null,
  };
}
