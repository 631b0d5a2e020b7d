import { foldCase } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';

/**
 * Locks ids and user names until the transaction ends, so that no other transaction changes which people have these
 * names, or sets an absence under one of them. Must come first in each such transaction. The locks are always taken in
 * the same order, to prevent deadlocks.
 */
export async function lockNames(transaction: Queryable, names: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'lock_names',
    text: `SELECT pg_advisory_xact_lock(lock) FROM (
             SELECT DISTINCT hashtextextended('name of a person ' || name, 0) AS lock FROM unnest($1::text[]) AS name ORDER BY 1
           ) AS locks`,
    values: [names.map(foldCase)],
  });
}
