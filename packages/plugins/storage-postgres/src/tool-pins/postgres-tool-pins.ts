import type { JsonObject } from '@countersign/core/plugin';
import type { AcceptedContent, StoredToolPin, ToolPinStore, ToolStop } from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { appendAudit } from '../audit/append-audit.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { inTransaction, type Queryable } from '../database/transaction.js';

const COLUMNS_AND_VALUES = `(name, source, digest, content, accepted_at, accepted_by) VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6)`;

/** ToolPinStore on PostgreSQL. */
@injectable()
export class PostgresToolPins implements ToolPinStore {
  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  async listToolPins(): Promise<readonly StoredToolPin[]> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'list_tool_pins',
      text: `SELECT name, source, digest, content, (extract(epoch FROM accepted_at) * 1000)::float8 AS at, accepted_by, stopped FROM tool_pins ORDER BY name`,
      values: [],
    });
    return rows.map((row) => ({
      name: String(row['name']),
      source: String(row['source']),
      digest: String(row['digest']),
      content: row['content'] as JsonObject,
      at: Math.round(Number(row['at'])),
      by: String(row['accepted_by']),
      stopped: row['stopped'] as ToolStop | null,
    }));
  }

  pinToolIfNew(tool: AcceptedContent, audit: AuditEntry): Promise<boolean> {
    return this.change(
      audit,
      'pin_tool_first',
      `INSERT INTO tool_pins ${COLUMNS_AND_VALUES} ON CONFLICT DO NOTHING RETURNING name`,
      toValues(tool),
    );
  }

  async acceptTool(tool: AcceptedContent, audit: AuditEntry): Promise<void> {
    const sql = `INSERT INTO tool_pins ${COLUMNS_AND_VALUES}
      ON CONFLICT (name) DO UPDATE SET source = EXCLUDED.source, digest = EXCLUDED.digest, content = EXCLUDED.content,
        accepted_at = EXCLUDED.accepted_at, accepted_by = EXCLUDED.accepted_by, stopped = NULL
      RETURNING name`;
    await this.change(audit, 'accept_tool', sql, toValues(tool));
  }

  stopTool(name: string, acceptedDigest: string, stop: ToolStop, audit: AuditEntry): Promise<boolean> {
    const text = 'UPDATE tool_pins SET stopped = $3 WHERE name = $1 AND digest = $2 AND stopped IS NULL RETURNING name';
    return this.change(audit, 'stop_tool', text, [name, acceptedDigest, JSON.stringify(stop)]);
  }

  /** Executes a change. If it changes nothing, no audit event is recorded. */
  private change(audit: AuditEntry, name: string, text: string, values: unknown[]): Promise<boolean> {
    return inTransaction(this.database.pool, async (transaction: Queryable) => {
      const { rows } = await transaction.query({ name, text, values });
      if (rows.length > 0) await appendAudit(transaction, [audit]);
      return rows.length > 0;
    });
  }
}

function toValues({ name, source, digest, content, at, by }: AcceptedContent): unknown[] {
  return [name, source, digest, JSON.stringify(content), at, by];
}
