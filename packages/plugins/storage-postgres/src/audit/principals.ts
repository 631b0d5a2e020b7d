import type { AuditEntry, RecordedActor } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';

/** If the set grows larger, it is cleared. That costs extra statements, not correctness. */
const MAX_SEEN = 10_000;

/**
 * Stores the people and services that audit entries name, and remembers them, so that they are rarely written again.
 */
export class Principals {
  readonly #seen = new Set<string>();

  /**
   * Stores the actors of entries. Await this before the entries are written, so that the rows they refer to exist.
   * Sends no statement if all actors are known.
   */
  async recordActors(database: Queryable, entries: readonly AuditEntry[]): Promise<void> {
    let unseen: Map<string, RecordedActor> | undefined;
    for (const { actor } of entries) {
      if (actor !== null && !this.#seen.has(principalKey(actor))) (unseen ??= new Map()).set(actor.id, actor);
    }
    if (unseen === undefined) return;
    // Sorted by id, so that two servers do not deadlock.
    const actors = [...unseen.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    await database.query({
      name: 'note_principals',
      text: `INSERT INTO principals (principal_id, type, name)
             SELECT id, type, name FROM json_to_recordset($1::json) AS x(id text, type text, name text)
             ON CONFLICT (principal_id) DO UPDATE SET type = excluded.type, name = COALESCE(excluded.name, principals.name)
             WHERE (principals.type, principals.name) IS DISTINCT FROM (excluded.type, COALESCE(excluded.name, principals.name))`,
      values: [JSON.stringify(actors.map(({ id, type, name }) => ({ id, type, name })))],
    });
    if (this.#seen.size + actors.length > MAX_SEEN) this.#seen.clear();
    for (const actor of actors) this.#seen.add(principalKey(actor));
  }

  /** Forgets an erased person, so that the person is stored again when they return. */
  forget(id: string): void {
    for (const key of this.#seen) if ((JSON.parse(key) as [string])[0] === id) this.#seen.delete(key);
  }
}

function principalKey({ id, name }: RecordedActor): string {
  return JSON.stringify([id, name]);
}
