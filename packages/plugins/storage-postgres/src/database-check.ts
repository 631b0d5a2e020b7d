import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { PostgresDatabase } from './database/postgres-database.js';

/** A probe must answer before whoever asks gives up. */
const TIMEOUT_MS = 3_000;

/** Asks the database something, each time. */
@injectable()
export class DatabaseCheck implements ReadinessCheckContribution {
  readonly name = 'database';

  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  async check(): Promise<ReadinessResult> {
    try {
      const { rows } = await within(
        TIMEOUT_MS,
        this.database.pool.query<{ version: string }>(`SELECT current_setting('server_version') AS version`),
      );
      return { status: 'ok', detail: `PostgreSQL ${rows[0]?.version ?? ''} answers.` };
    } catch (error) {
      // The code only: what drivers write into messages is not for anonymous readers of the readiness answer.
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      return { status: 'fail', detail: `The database does not answer${code}.` };
    }
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
