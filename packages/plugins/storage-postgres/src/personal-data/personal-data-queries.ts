import type { ErasureOutsideRuns, RunsMentioningPerson } from '@countersign/core/ports';
import { type AuditRecord, ERASED, type NamedActor } from '@countersign/model';
import { incrementChangeCount } from '../absences/record-change.js';
import type { Queryable } from '../database/transaction.js';
import { ERASE_DELIVERY_ASSIGNMENTS } from '../outbound-deliveries/erase-delivery.js';
import { lockNames } from '../people/lock-names.js';
import { isStorableText } from '../queries/storable.js';

type PersonAuditEntry = Pick<AuditRecord, 'seq' | 'actor' | 'from' | 'data'>;

/** Returns a name as it appears inside a JSON string. */
const escapeForJson = (name: string): string => JSON.stringify(name).slice(1, -1);

/**
 * Returns the SQL condition that a column mentions the person with the id `$2`, or with one of the user names `$3` (in
 * lower case).
 */
const containsPerson = (column: string): string =>
  `(strpos(${column}::text, $2) > 0 OR (cardinality($3::text[]) > 0 AND EXISTS (
      SELECT FROM (SELECT lower(${column}::text COLLATE "C") AS text OFFSET 0) AS folded, unnest($3::text[]) AS n(name)
      WHERE strpos(folded.text, n.name) > 0)))`;

/**
 * Returns runs that mention a person.
 *
 * @param range.maxRuns maximum number of runs to search. It bounds the cost, because the whole history of each run is
 *   read
 */
export async function findRunsMentioning(
  database: Queryable,
  { id, userNames }: Required<NamedActor>,
  { after, maxRuns, maxFound }: { readonly after: string | null; readonly maxRuns: number; readonly maxFound: number },
): Promise<RunsMentioningPerson> {
  if (!isStorableText(id)) return { runIds: [], searchedUpTo: null };
  const { rows } = await database.query({
    name: 'find_runs_naming',
    text: `WITH looked AS MATERIALIZED (SELECT run_id, started_by FROM runs WHERE $4::uuid IS NULL OR run_id > $4 ORDER BY run_id LIMIT $5 + 1),
             named AS (
               SELECT run_id, (
                 started_by = $1
                 OR EXISTS (SELECT FROM run_events e WHERE e.run_id = r.run_id AND ${containsPerson('e.private')})
                 OR EXISTS (SELECT FROM audit_events a WHERE a.run_id = r.run_id AND (a.actor_id = $1 OR ${containsPerson('a.data')}) AND a.action <> 'personal_data.erase')
                 OR EXISTS (SELECT FROM audit_events a WHERE a.run_id IS NULL AND a.target ->> 'runId' = r.run_id::text AND (a.actor_id = $1 OR ${containsPerson('a.data')}) AND a.action <> 'personal_data.erase')
               ) AS is_named
               FROM (SELECT * FROM looked ORDER BY run_id LIMIT $5) r
             )
           SELECT run_id, is_named, (SELECT count(*) FROM looked) > $5 AS goes_on FROM named ORDER BY run_id`,
    values: [id, escapeForJson(id), userNames.map(escapeForJson), after, maxRuns],
  });
  const found = rows.filter((row) => row['is_named'] === true).map((row) => String(row['run_id']));
  const lastRunId =
    found.length > maxFound
      ? found[maxFound - 1]
      : rows[0]?.['goes_on'] === true
        ? String(rows.at(-1)?.['run_id'])
        : undefined;
  return { runIds: found.slice(0, maxFound), searchedUpTo: lastRunId ?? null };
}

/**
 * Returns entries of the server's audit chain that mention a person, except entries about runs, which are erased with
 * the runs. Records of erasures are also excluded, because they must still name the person who ordered the erasure.
 */
export async function findServerAuditMentioning(
  database: Queryable,
  { id, userNames }: Required<NamedActor>,
): Promise<PersonAuditEntry[]> {
  if (!isStorableText(id)) return [];
  const { rows } = await database.query({
    name: 'find_server_audit_holding',
    text: `SELECT seq, actor, "from", data FROM audit_events a
           WHERE run_id IS NULL AND salt IS NOT NULL AND action <> 'personal_data.erase' AND (actor_id = $1 OR ${containsPerson('data')})
             AND NOT EXISTS (SELECT FROM runs r WHERE r.run_id::text = a.target ->> 'runId')
           ORDER BY seq`,
    values: [id, escapeForJson(id), userNames.map(escapeForJson)],
  });
  return rows.map((row) => ({
    seq: Number(row['seq']),
    actor: row['actor'] as PersonAuditEntry['actor'],
    from: row['from'] as PersonAuditEntry['from'],
    data: row['data'] as PersonAuditEntry['data'],
  }));
}

/**
 * Deletes or erases the data about a person that is stored outside of runs.
 *
 * @returns whether any data was deleted or erased
 */
export async function erasePersonOutsideRuns(
  transaction: Queryable,
  { person: { id: person, userNames }, keepUserNames }: Omit<ErasureOutsideRuns, 'positions'>,
): Promise<boolean> {
  if (!isStorableText(person)) return false;
  await lockNames(transaction, [person, ...userNames]);
  let changedRows = 0;
  const change = async (name: string, text: string, values: readonly unknown[]): Promise<void> => {
    const { rows } = await transaction.query({ name, text, values: [...values] });
    changedRows += rows.length;
  };
  await change('forget_principal', 'DELETE FROM principals WHERE principal_id = $1 RETURNING 1', [person]);
  const matchesPerson = (column: string): string =>
    `(${column} = $1 OR lower(${column} COLLATE "C") = ANY($2::text[]))`;
  const personParameters = [person, userNames];
  await change(
    'forget_absences_of',
    `DELETE FROM absences WHERE ${matchesPerson('subject')} RETURNING 1`,
    personParameters,
  );
  await change(
    'forget_substitute',
    `UPDATE absences SET substitute = NULL WHERE ${matchesPerson('substitute')} RETURNING 1`,
    personParameters,
  );
  await change('forget_person', 'DELETE FROM people WHERE principal_id = $1 RETURNING 1', [person]);
  if (!keepUserNames) {
    await change('forget_user_names', 'DELETE FROM user_names WHERE principal_id = $1 RETURNING 1', [person]);
    await change('forget_user_name_source', 'DELETE FROM user_name_sources WHERE principal_id = $1 RETURNING 1', [
      person,
    ]);
  }
  // It can no longer be determined whether the substitute is the person who set the absence.
  await change(
    'forget_absence_setter',
    'UPDATE absences SET set_by = $2, substitute = NULL WHERE set_by = $1 RETURNING 1',
    [person, ERASED],
  );
  await change('forget_deployer', 'UPDATE workflow_versions SET deployed_by = $2 WHERE deployed_by = $1 RETURNING 1', [
    person,
    ERASED,
  ]);
  await change(
    'forget_decision_deployer',
    'UPDATE decision_versions SET deployed_by = $2 WHERE deployed_by = $1 RETURNING 1',
    [person, ERASED],
  );
  // Notifications about the signing keys of the person; those about other keys only after they are sent. Deliveries of
  // a run are erased with the run.
  await change(
    'forget_deliveries_about_keys',
    `UPDATE outbound_deliveries d SET ${ERASE_DELIVERY_ASSIGNMENTS} FROM signing_keys k
     WHERE d.run_id IS NULL AND d.body <> '' AND strpos(d.body, k.key_id) > 0
       AND (k.subject = $1 OR (d.status <> 'pending' AND $1 IN (k.enrolled_by, k.revoked_by))) RETURNING 1`,
    [person],
  );
  if (changedRows > 0) await incrementChangeCount(transaction);
  return changedRows > 0;
}
