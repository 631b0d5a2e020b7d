import { foldCase } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';

/**
 * Until the end of the transaction, nobody else changes who is known by these ids and user names, or sets an absence under one
 * of them. First in each such transaction, and always in the same order, so that none waits for another crosswise.
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
