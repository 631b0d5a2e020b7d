import { type AuditEntry, type Named, recordedActor, SYSTEM_ACTOR } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { isKnown } from '../people/is-known.js';
import { uuidV7 } from '../uuid-v7.js';
import { countChange, recordChange } from './record-change.js';

/**
 * Makes the absences that were set under a name of somebody, before anybody was known by it, those of the person. It gets
 * another id, since it means somebody else than before. One absence of a person stays: the one that was set last.
 *
 * @param person with all user names, in lower case, and whether nobody was known by the id until now
 * @param at now, in ms since the epoch
 */
export async function bindAbsences(
  transaction: Queryable,
  { id, userNames: names, isNew }: Required<Named> & { readonly isNew: boolean },
  at: number,
): Promise<void> {
  const { rows } = await transaction.query({
    name: 'absences_to_bind',
    text: `SELECT a.absence_id, a.subject FROM absences a
           WHERE a.subject = $1 OR (
             lower(a.subject) = ANY($2::text[]) AND a.set_by <> a.subject AND NOT ${isKnown('a.subject')}
             AND (SELECT count(*) FROM user_names u WHERE u.name = lower(a.subject)) = 1)
           ORDER BY a.ends_at > now() DESC, a.set_at DESC, a.subject FOR UPDATE`,
    values: [id, names],
  });
  const [kept, ...others] = rows.map((row) => ({
    absenceId: String(row['absence_id']),
    subject: String(row['subject']),
  }));
  if (kept === undefined) return;
  // One that was set for their id counts from now on.
  if (isNew) await countChange(transaction);
  if (kept.subject === id && others.length === 0) return;
  const replaced = others.map(({ absenceId }) => absenceId);
  await transaction.query({
    name: 'delete_absences',
    text: 'DELETE FROM absences WHERE absence_id = ANY($1::uuid[])',
    values: [replaced],
  });
  const absenceId = uuidV7(at);
  if (kept.subject !== id)
    await transaction.query({
      name: 'bind_absence',
      // Nobody is their own substitute, under whichever name.
      text: `UPDATE absences SET subject = $2, absence_id = $3,
               substitute = CASE WHEN substitute = $2 OR lower(substitute COLLATE "C") = ANY($4::text[]) THEN NULL ELSE substitute END
             WHERE absence_id = $1`,
      values: [kept.absenceId, id, absenceId, names],
    });
  for (const each of replaced) await recordChange(transaction, each, entry('absence.end', at, { subject: id }));
  if (kept.subject !== id)
    await recordChange(transaction, absenceId, entry('absence.bind', at, { subject: id, name: kept.subject }));
}

function entry(action: string, at: number, data: AuditEntry['data']): AuditEntry {
  return {
    at,
    actor: recordedActor(SYSTEM_ACTOR),
    action,
    target: { type: 'absence' },
    result: 'ok',
    from: null,
    data,
  };
}
