import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { CommitProbe } from './database/commit-probe.js';
import { PostgresDatabase } from './database/postgres-database.js';

/** Timeout of the check, in ms: health checks must respond within a second, even if a connection hangs. */
const TIMEOUT_MS = 800;

/** Checks that the database responds, and that the connection for commits can commit or has just done so. */
@injectable()
export class DatabaseCheck implements ReadinessCheckContribution {
  readonly name = 'database';

  readonly #commitProbe: CommitProbe;

  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {
    this.#commitProbe = new CommitProbe(database);
  }

  async check(): Promise<ReadinessResult> {
    try {
      const [serverVersion] = await withTimeout(TIMEOUT_MS, Promise.all([this.#version(), this.#commitProbe.check()]));
      return { status: 'ok', detail: `PostgreSQL ${serverVersion} responds and commits.` };
    } catch (error) {
      // Only the code: driver messages are not meant for anonymous readers of the readiness response.
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      return { status: 'fail', detail: `The database does not respond or does not commit${code}.` };
    }
  }

  async #version(): Promise<string> {
    const { rows } = await this.database.pool.query<{ version: string }>(
      `SELECT current_setting('server_version') AS version`,
    );
    return rows[0]?.version ?? '';
  }
}

async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('timed out'), { code: 'timeout' })), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
