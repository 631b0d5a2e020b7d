import { type AuditEntry, type NamedActor, toRecordedActor, SYSTEM_ACTOR } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { isKnownPerson } from '../people/is-known-person.js';
import { uuidV7 } from '../uuid-v7.js';
import { incrementChangeCount, recordChange } from './record-change.js';

/**
 * Binds absences that were set under a user name, before the name was known, to the person. A bound absence receives a
 * new id, because its subject has changed. Each person keeps one absence: the one set last, preferably among those that
 * have not ended.
 *
 * @param person with all user names, in lower case, and whether the id was unknown until now
 * @param at current time, in ms since the epoch
 */
export async function bindAbsences(
  transaction: Queryable,
  { id, userNames: names, isNew }: Required<NamedActor> & { readonly isNew: boolean },
  at: number,
): Promise<void> {
  const { rows } = await transaction.query({
    name: 'absences_to_bind',
    text: `SELECT a.absence_id, a.subject FROM absences a
           WHERE a.subject = $1 OR (
             lower(a.subject) = ANY($2::text[]) AND a.set_by <> a.subject AND NOT ${isKnownPerson('a.subject')}
             AND (SELECT count(*) FROM user_names u WHERE u.name = lower(a.subject)) = 1)
           ORDER BY a.ends_at > now() DESC, a.set_at DESC, a.subject FOR UPDATE`,
    values: [id, names],
  });
  const [keptAbsence, ...others] = rows.map((row) => ({
    absenceId: String(row['absence_id']),
    subject: String(row['subject']),
  }));
  if (keptAbsence === undefined) return;
  // An absence that was set for the id takes effect now.
  if (isNew) await incrementChangeCount(transaction);
  if (keptAbsence.subject === id && others.length === 0) return;
  const replacedIds = others.map(({ absenceId }) => absenceId);
  await transaction.query({
    name: 'delete_absences',
    text: 'DELETE FROM absences WHERE absence_id = ANY($1::uuid[])',
    values: [replacedIds],
  });
  const absenceId = uuidV7(at);
  if (keptAbsence.subject !== id)
    await transaction.query({
      name: 'bind_absence',
      // A person is never their own substitute, under any name.
      text: `UPDATE absences SET subject = $2, absence_id = $3,
               substitute = CASE WHEN substitute = $2 OR lower(substitute COLLATE "C") = ANY($4::text[]) THEN NULL ELSE substitute END
             WHERE absence_id = $1`,
      values: [keptAbsence.absenceId, id, absenceId, names],
    });
  for (const each of replacedIds)
    await recordChange(transaction, each, buildAuditEntry('absence.end', at, { subject: id }));
  if (keptAbsence.subject !== id)
    await recordChange(
      transaction,
      absenceId,
      buildAuditEntry('absence.bind', at, { subject: id, name: keptAbsence.subject }),
    );
}

function buildAuditEntry(action: string, at: number, data: AuditEntry['data']): AuditEntry {
  return {
    at,
    actor: toRecordedActor(SYSTEM_ACTOR),
    action,
    target: { type: 'absence' },
    result: 'ok',
    from: null,
    data,
  };
}
