import type { AuditEntry, RecordedActor } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';

/** Beyond it, the set is begun again: forgetting costs a statement, not correctness. */
const MAX_SEEN = 10_000;

/** Keeps the people and services that audit entries name, each written once in the life of a process. */
export class Principals {
  readonly #seen = new Set<string>();

  /** To be awaited before the entries are written, so that what they name is there. Costs nothing for those seen before. */
  async note(database: Queryable, entries: readonly AuditEntry[]): Promise<void> {
    let unseen: Map<string, RecordedActor> | undefined;
    for (const { actor } of entries) {
      if (actor !== null && !this.#seen.has(keyOf(actor))) (unseen ??= new Map()).set(actor.id, actor);
    }
    if (unseen === undefined) return;
    // In the order of their ids, so that two servers don't wait for each other crosswise.
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
    for (const actor of actors) this.#seen.add(keyOf(actor));
  }

  /** So that somebody who was erased is noted when they come back. */
  forget(id: string): void {
    for (const key of this.#seen) if ((JSON.parse(key) as [string])[0] === id) this.#seen.delete(key);
  }
}

function keyOf({ id, name }: RecordedActor): string {
  return JSON.stringify([id, name]);
}
