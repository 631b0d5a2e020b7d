import type { RateCountsStore } from '@countersign/core/ports';
import { inject, injectable } from 'inversify';
import { PostgresDatabase } from '../database/postgres-database.js';

/** RateCountsStore on PostgreSQL. */
@injectable()
export class PostgresRateCounts implements RateCountsStore {
  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  async addCounts(counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    // All servers update the counters in the same order, which prevents deadlocks.
    const keys = [...counts.keys()].sort();
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'add_rate_counts',
      text: `INSERT INTO rate_counts AS c (key, count) SELECT key, count FROM unnest($1::text[], $2::bigint[]) AS n (key, count)
             ON CONFLICT (key) DO UPDATE SET count = c.count + excluded.count, counted_at = now() RETURNING key, count`,
      values: [keys, keys.map((key) => counts.get(key))],
    });
    return new Map(rows.map((row) => [String(row['key']), Number(row['count'])]));
  }
}
