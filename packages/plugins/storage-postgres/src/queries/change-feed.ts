import type { Knex } from 'knex';
import type { Change } from '@countersign/core/plugin';
import { RunEventModel } from '../models/run-event-model.js';
import { invalidCursor } from './cursor.js';

/**
 * A place in the feed: transaction, run and number of an event, each of a fixed width, so that positions sort as texts.
 */
const POSITION = /^([0-9a-f]{16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8})$/;
const LEAST_RUN = '00000000-0000-0000-0000-000000000000';

/**
 * All transactions below the oldest one that still runs have ended, so nothing can come to stand before it any more.
 * What was committed beside one that still runs waits until that has ended (one that writes, in any database of the
 * server: that is why idle transactions are ended).
 */
const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())';

export async function feedPosition(knex: Knex): Promise<string> {
  const { rows } = await knex.raw<{ rows: { horizon: string }[] }>(`SELECT ${HORIZON}::text AS horizon`);
  return beginningOf(rows[0]?.horizon ?? '0');
}

/** @throws `invalid_cursor` for a position that was not handed out by this database. */
export async function changesAfter(knex: Knex, position: string, limit: number): Promise<{ position: string; changes: Change[] }> {
  const { txid, runId, seq } = parsePosition(position);
  // The horizon first: a later one would be beyond what the query has seen.
  const { rows: horizons } = await knex.raw<{ rows: { horizon: string; known: boolean }[] }>(
    `SELECT ${HORIZON}::text AS horizon, ?::xid8 <= ${HORIZON} AS known`,
    [txid],
  );
  const [{ horizon, known } = { horizon: txid, known: true }] = horizons;
  if (!known) throw invalidCursor('It is ahead of this database, which may have been restored from a backup.');
  const rows = await RunEventModel.query(knex)
    .alias('e')
    .join('runs AS r', 'r.run_id', 'e.run_id')
    .select('e.run_id', 'e.seq', 'e.at', 'e.type', 'e.step_id', 'e.element_id', 'e.data', 'e.txid', 'r.workflow_id')
    .whereRaw('(e.txid, e.run_id, e.seq) > (?::xid8, ?::uuid, ?)', [txid, runId, seq])
    .whereRaw('e.txid < ?::xid8', [horizon])
    .orderBy(['e.txid', 'e.run_id', 'e.seq'])
    .limit(limit);
  const last = rows.at(-1);
  const reached = last !== undefined && rows.length >= limit ? formatPosition(last.txid, last.runId, last.seq) : beginningOf(horizon);
  // Never back: while nothing is new, the horizon may be where the position is.
  return { position: reached > position ? reached : position, changes: rows.map((row) => row.toChange()) };
}

/** Before the first event of a transaction: all those before it are done with. */
function beginningOf(txid: string): string {
  return formatPosition(txid, LEAST_RUN, 0);
}

function formatPosition(txid: string, runId: string, seq: number): string {
  return `${BigInt(txid).toString(16).padStart(16, '0')}.${runId}.${seq.toString(16).padStart(8, '0')}`;
}

function parsePosition(position: string): { txid: string; runId: string; seq: number } {
  const [, txid, runId, seq] = POSITION.exec(position) ?? [];
  if (txid === undefined || runId === undefined || seq === undefined) throw invalidCursor('It is no position of the feed.');
  return { txid: BigInt(`0x${txid}`).toString(), runId, seq: Number.parseInt(seq, 16) & 0x7fffffff };
}
