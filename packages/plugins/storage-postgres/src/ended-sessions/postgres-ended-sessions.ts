import type { EndedSession, EndedSessionsStore } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { PostgresDatabase } from '../database/postgres-database.js';

/**
 * Maximum time in ms between the `recorded_at` of a row and the commit of its transaction. Reading a row twice is
 * harmless.
 */
const OVERLAP_MS = 60_000;

/** EndedSessionsStore on PostgreSQL. */
@injectable()
export class PostgresEndedSessions implements EndedSessionsStore {
  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  async endSessions(message: string, sessions: readonly EndedSession[]): Promise<boolean> {
    const keptUntil = Math.max(...sessions.map((session) => session.keptUntil));
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'end_sessions',
      text: `WITH message AS (INSERT INTO logout_messages (key, kept_until) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key),
               ended AS (
                 INSERT INTO ended_sessions AS e (key, ended_at, kept_until)
                 SELECT s.key, s.ended_at, s.kept_until FROM unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) AS s (key, ended_at, kept_until)
                 WHERE EXISTS (SELECT FROM message)
                 ON CONFLICT (key) DO UPDATE SET ended_at = GREATEST(e.ended_at, excluded.ended_at), kept_until = GREATEST(e.kept_until, excluded.kept_until), recorded_at = clock_timestamp()
               )
             SELECT EXISTS (SELECT FROM message) AS is_new`,
      values: [
        message,
        isoTime(keptUntil),
        sessions.map(({ key }) => key),
        sessions.map(({ endedAt }) => isoTime(endedAt)),
        sessions.map((session) => isoTime(session.keptUntil)),
      ],
    });
    return rows[0]?.['is_new'] === true;
  }

  async listEndedSince(
    position: number | null,
  ): Promise<{ readonly sessions: readonly EndedSession[]; readonly position: number }> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>({
      name: 'ended_sessions_since',
      text: 'SELECT key, ended_at, kept_until, recorded_at FROM ended_sessions WHERE recorded_at > $1 AND kept_until > now()',
      values: [isoTime(position === null ? 0 : Math.max(0, position - OVERLAP_MS))],
    });
    const sessions = rows.map((row) => ({
      key: String(row['key']),
      endedAt: Number(row['ended_at']),
      keptUntil: Number(row['kept_until']),
    }));
    return {
      sessions,
      position: rows.reduce((latest, row) => Math.max(latest, Number(row['recorded_at'])), position ?? 0),
    };
  }
}
