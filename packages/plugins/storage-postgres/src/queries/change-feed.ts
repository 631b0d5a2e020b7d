import type { Change } from '@countersign/core/ports';
import type { Queryable } from '../database/transaction.js';
import { createInvalidCursorError } from './cursor.js';
import type { LocalChangeBuffer, Transaction } from './local-change-buffer.js';

/**
 * Position in the feed: transaction, run and sequence number of an event, each of a fixed width, so that positions
 * sort as strings.
 */
const POSITION = /^([0-9a-f]{16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8})$/;
const MIN_RUN_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Horizon of the feed: the id of the oldest running transaction. All earlier transactions have ended, so no further
 * event can appear before the horizon. Events of later transactions are returned only after that transaction has ended.
 * Any transaction that writes counts, in any database of the server, so idle transactions are terminated.
 */
const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())';

/**
 * Version of the absences: the number of changes, of started absences and of ended absences. The table is small,
 * because each person has at most one absence.
 */
const ABSENCES = `(SELECT concat_ws('.', (SELECT changes FROM absence_changes), count(*) FILTER (WHERE starts_at <= now()), count(*) FILTER (WHERE ends_at <= now())) FROM absences)`;

/**
 * Statement that reads the feed in one snapshot, so that the horizon matches the visible rows. It reads only the gaps
 * between the transactions whose changes are already known: most gaps are empty, and no rows of the known transactions
 * are read. Because the gaps are numbered, later gaps are skipped if the first ones fill a page.
 */
export const CHANGES_AFTER = `
  SELECT h.horizon::text AS horizon, $1::xid8 <= h.horizon AS known, ${ABSENCES} AS absences, x.*
  FROM (SELECT ${HORIZON} AS horizon) h
  LEFT JOIN LATERAL (
    SELECT gap.n, y.*
    FROM unnest($5::xid8[], $6::xid8[]) WITH ORDINALITY AS gap (first, behind, n)
    CROSS JOIN LATERAL (
      SELECT e.run_id, e.seq, (extract(epoch FROM e.at) * 1000)::float8 AS at, e.type, e.step_id, e.element_id, e.data::text AS data,
             e.txid, r.workflow_id, r.parent_run_id
      FROM run_events e JOIN runs r ON r.run_id = e.run_id
      WHERE e.txid >= gap.first AND e.txid < gap.behind AND e.txid < h.horizon AND (e.txid, e.run_id, e.seq) > ($1::xid8, $2::uuid, $3::int)
      ORDER BY e.txid, e.run_id, e.seq LIMIT $4
    ) y
    ORDER BY gap.n, y.txid, y.run_id, y.seq LIMIT $4
  ) x ON true
  ORDER BY x.n, x.txid, x.run_id, x.seq`;

export async function getFeedPosition(database: Queryable): Promise<string> {
  const { rows } = await database.query({
    name: 'feed_position',
    text: `SELECT ${HORIZON}::text AS horizon`,
    values: [],
  });
  return positionBefore(BigInt(String(rows[0]?.['horizon'] ?? '0')));
}

/**
 * Returns the changes after a position.
 *
 * @param localChanges changes that this process wrote, which are not read again
 * @throws {ApiError} `invalid_cursor` if this database did not issue the position
 */
export async function listChangesAfter(
  database: Queryable,
  localChanges: LocalChangeBuffer,
  position: string,
  limit: number,
): Promise<{ position: string; changes: Change[]; absences: string }> {
  const { txid, runId, seq } = parsePosition(position);
  const localTransactions = localChanges.readSince(txid);
  const gaps = findGaps(txid, localTransactions);
  const { rows: found } = (await database.query({
    name: 'changes_after',
    text: CHANGES_AFTER,
    values: [
      String(txid),
      runId,
      seq,
      limit,
      gaps.map(({ first }) => String(first)),
      gaps.map(({ end }) => String(end)),
    ],
  })) as unknown as { rows: FeedRow[] };
  const { horizon, known, absences } = found[0] ?? { horizon: String(txid), known: true, absences: '' };
  if (!known)
    throw createInvalidCursorError('It is ahead of this database, which may have been restored from a backup.');
  const horizonTxid = BigInt(horizon);
  const transactions = [
    ...groupByTransaction(found),
    ...localTransactions.filter((local) => local.txid < horizonTxid),
  ].sort((a, b) => (a.txid < b.txid ? -1 : 1));
  const changes: Change[] = [];
  for (const transaction of transactions) {
    for (const change of transaction.changes) {
      if (transaction.txid === txid && !(change.runId > runId || (change.runId === runId && change.seq > seq)))
        continue;
      changes.push(change);
      if (changes.length === limit)
        return { position: formatPosition(transaction.txid, change.runId, change.seq), changes, absences };
    }
  }
  const end = positionBefore(horizonTxid);
  // The position never moves back: without new changes, the horizon may equal it.
  return { position: end > position ? end : position, changes, absences };
}

/** Upper bound of transaction ids, which have 64 bits. */
const END_OF_TXIDS = 2n ** 64n - 1n;

interface Gap {
  readonly first: bigint;
  readonly end: bigint;
}

/** Returns the ranges of transaction ids, from `start` on, between the ids of these transactions, in order. */
function findGaps(start: bigint, transactions: readonly Transaction[]): Gap[] {
  const gaps: Gap[] = [];
  let first = start;
  for (const txid of transactions.map((transaction) => transaction.txid).sort(ascending)) {
    if (txid > first) gaps.push({ first, end: txid });
    first = txid + 1n;
  }
  return [...gaps, { first, end: END_OF_TXIDS }];
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

interface FeedRow {
  readonly horizon: string;
  readonly known: boolean;
  readonly absences: string;
  readonly run_id: string;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly step_id: string | null;
  readonly element_id: string | null;
  readonly data: string;
  readonly txid: string;
  readonly workflow_id: string;
  readonly parent_run_id: string | null;
}

/** Groups the rows by transaction; they are sorted by transaction. */
function groupByTransaction(rows: readonly FeedRow[]): Transaction[] {
  const found: (Transaction & { readonly changes: Change[] })[] = [];
  let lastTxid = '';
  for (const row of rows) {
    // A row without a change means that the page is empty.
    if (row.run_id === null) continue;
    if (row.txid !== lastTxid) found.push({ txid: BigInt(row.txid), changes: [] });
    lastTxid = row.txid;
    found.at(-1)?.changes.push(toChange(row));
  }
  return found;
}

function toChange(row: FeedRow): Change {
  return {
    runId: row.run_id,
    workflowId: row.workflow_id,
    parentRunId: row.parent_run_id,
    type: row.type,
    seq: row.seq,
    at: Math.round(row.at),
    stepId: row.step_id,
    elementId: row.element_id,
    dataText: row.data,
  };
}

/** Returns the position before the first event of a transaction. All earlier transactions must have ended. */
function positionBefore(txid: bigint): string {
  return formatPosition(txid, MIN_RUN_ID, 0);
}

function formatPosition(txid: bigint, runId: string, seq: number): string {
  return `${txid.toString(16).padStart(16, '0')}.${runId}.${seq.toString(16).padStart(8, '0')}`;
}

function parsePosition(position: string): { txid: bigint; runId: string; seq: number } {
  const [, txid, runId, seq] = POSITION.exec(position) ?? [];
  if (txid === undefined || runId === undefined || seq === undefined)
    throw createInvalidCursorError('It is not a position of the feed.');
  return { txid: BigInt(`0x${txid}`), runId, seq: Number.parseInt(seq, 16) & 0x7fffffff };
}
