import type { Queryable } from '../database/transaction.js';

/** Deletes ended sessions whose tokens are too old to be accepted, and the logout messages that ended them. */
export async function deleteEndedSessions(database: Queryable): Promise<void> {
  await database.query({ text: 'DELETE FROM ended_sessions WHERE kept_until < now()', values: [] });
  await database.query({ text: 'DELETE FROM logout_messages WHERE kept_until < now()', values: [] });
}
