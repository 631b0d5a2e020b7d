import type { CommitResult, RunWrite } from '@countersign/core/ports';
import { inTurns } from '@countersign/model';
import { isLockTimeout, LOCK_TIMEOUT_MS } from '../database/pipelined-connection.js';
import { inTransaction, type CommitDatabase, type Queryable } from '../database/transaction.js';
import { messageOf } from '../inbound-events/inbound-event-row.js';
import { locksOf } from '../messages/message-locks.js';
import { publishMessage } from '../messages/publish-message.js';
import { ABSENCE_PARTS } from './absence-parts.js';
import { APPROVAL_PARTS } from './approval-parts.js';
import {
  rowsFrom,
  rowsOfWritten,
  rowsTextInPieces,
  type CommitPart,
  type Row,
  type RowEncoding,
} from './commit-part.js';
import { DECISION_PARTS } from './decision-parts.js';
import { ERASURE_PARTS } from './erasure-parts.js';
import { EVENT_PARTS, keptEvents } from './event-parts.js';
import { HISTORY_PARTS } from './history-parts.js';
import type { LockedRuns } from './locked-runs.js';
import { MESSAGE_PARTS } from './message-parts.js';
import { OUTBOX_PARTS } from './outbox-parts.js';
import { QUESTION_PARTS } from './question-parts.js';
import { countRunTexts, runExpressions, runKinds, runTexts, type RunKinds } from './run-rows.js';
import { SIGNING_KEY_PARTS } from './signing-key-parts.js';
import { START_PARTS } from './start-parts.js';
import { WAIT_PARTS } from './wait-parts.js';

/** All parts that accompany the row of a run. A part without rows is left out of the statement. */
const COMMIT_PARTS: readonly CommitPart[] = [
  ...HISTORY_PARTS,
  ...WAIT_PARTS,
  ...MESSAGE_PARTS,
  ...APPROVAL_PARTS,
  ...OUTBOX_PARTS,
  ...START_PARTS,
  ...DECISION_PARTS,
  ...EVENT_PARTS,
  ...QUESTION_PARTS,
  ...SIGNING_KEY_PARTS,
  ...ABSENCE_PARTS,
  ...ERASURE_PARTS,
];

export interface CommitPlace {
  readonly database: CommitDatabase;
  readonly locked: LockedRuns;
  /** Called with each transaction and its writes, as soon as the commit is certain. */
  readonly committed: (txid: bigint, writes: readonly RunWrite[]) => void;
}

/**
 * Limits of separate commits: how long each may wait for a lock, in ms, and the number of timed-out waits after which
 * no further commit starts.
 */
interface Patience {
  readonly lockTimeoutMs: number;
  readonly maxTimeouts: number;
}

/**
 * Used when it is unknown which write of a batch waits for a lock. The rest of the batch waits for this search once.
 */
const SEARCH: Patience = { lockTimeoutMs: LOCK_TIMEOUT_MS, maxTimeouts: 20 };
/**
 * Used for runs that waited before, so that they hardly delay their batch. Not shorter, because another server locks
 * the rows that it writes until its WAL is flushed.
 */
const QUICK: Patience = { lockTimeoutMs: 10, maxTimeouts: 8 };
/** Maximum number of connections that one batch uses for separate commits. */
const APART_AT_ONCE = 4;

const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';
const ANSWERS_KEY = 'idempotency_keys_pkey';
const EVENT_KEYS: ReadonlySet<unknown> = new Set(['inbound_events_key', 'inbound_events_body']);

/**
 * Writes the outcome of commands of several runs in one statement, and so in one transaction with one round trip and
 * one WAL flush. If messages are involved, statements that take locks precede it. A write is left out if another
 * writer has advanced its run (checked by revision), claimed its job (by epoch), or delivered its cause; the rest is
 * written.
 *
 * Erasures search whole tables and are not sent to the shared connection. A write that waits for a locked row is
 * `locked` and does not delay the others.
 */
export async function commitWrites(place: CommitPlace, writes: readonly RunWrite[]): Promise<CommitResult[]> {
  if (writes.length === 0) return [];
  const { locked } = place;
  const runIds = runIdsOf(writes);
  const known = locked.knownAmong(runIds);
  const lockedRuns = known.length === 0 ? new Set<string>() : await findLocked(place, known);
  if (lockedRuns.size > 0) return commitWithout(place, writes, lockedRuns);
  const erasing = new Set(writes.filter(({ erasure }) => erasure !== null).map(({ run }) => run.runId));
  if (erasing.size > 0) return commitWithout(place, writes, erasing, (apart) => commitApart(place, apart, SEARCH));
  const heldUp = locked.heldUp(runIds);
  if (heldUp.size > 0) return commitWithout(place, writes, heldUp, (apart) => commitApart(place, apart, QUICK));
  try {
    return await commitTogether(place, writes);
  } catch (error) {
    if (!isLockTimeout(error)) return commitAgain(place, writes, error);
  }
  const found = await findLocked(place, runIds);
  if (found.size > 0) return commitWithout(place, writes, found);
  // The lock was on another row, or has been released.
  return commitApart(place, writes, SEARCH);
}

/** Returns the given runs whose row is locked; all of them if another session locks the whole table. */
async function findLocked({ database, locked }: CommitPlace, runIds: readonly string[]): Promise<ReadonlySet<string>> {
  try {
    return await inTransaction(database, (transaction) => locked.findLocked(transaction, runIds), {
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    });
  } catch (error) {
    if (isLockTimeout(error)) return new Set(runIds);
    throw error;
  }
}

/**
 * Commits again after a conflict with rows of another writer.
 *
 * @throws the error, if it has another cause
 */
async function commitAgain(place: CommitPlace, writes: readonly RunWrite[], error: unknown): Promise<CommitResult[]> {
  if (!isRetryable(error)) throw error;
  if (writes.length === 1) {
    const met = resultOfMet(error);
    return met === undefined ? commitTogether(place, writes) : [met];
  }
  // One write of the batch conflicted with another server. Separate commits show which one.
  const results: CommitResult[] = [];
  for (const write of writes) {
    const [result = 'conflict'] = await commitWrites(place, [write]).catch((error: unknown) => [{ error }]);
    results.push(result);
  }
  return results;
}

/**
 * Returns the result of a write that conflicted with the same request or delivery of another writer; `undefined` for a
 * deadlock.
 */
function resultOfMet(error: unknown): CommitResult | undefined {
  if (isAnswered(error)) return 'answered';
  return isDelivered(error) ? 'fenced' : undefined;
}

/**
 * Commits all writes except those of some runs.
 *
 * @param commitApart commits the excluded writes at the same time; by default they are `locked`
 */
async function commitWithout(
  place: CommitPlace,
  writes: readonly RunWrite[],
  runIds: ReadonlySet<string>,
  commitApart = (apart: readonly RunWrite[]): Promise<CommitResult[]> => Promise.resolve(apart.map(() => 'locked')),
): Promise<CommitResult[]> {
  const apart = writes.filter(({ run }) => runIds.has(run.runId));
  const others = writes.filter(({ run }) => !runIds.has(run.runId));
  const results = (
    await Promise.all([
      commitApart(apart),
      // Separate commits may succeed even if these fail, because each write has its own result.
      commitWrites(place, others).catch((error: unknown) => others.map((): CommitResult => ({ error }))),
    ])
  ).flat();
  const byRun = new Map([...apart, ...others].map(({ run }, index) => [run.runId, results[index]]));
  return writes.map(({ run }) => byRun.get(run.runId) ?? 'locked');
}

/**
 * Commits each write in its own transaction on pooled connections, to find the writes that wait for a lock. Those writes are
 * `locked` and their runs are remembered. Writes that are not reached, because too many others wait, are `locked`, too.
 */
async function commitApart(
  place: CommitPlace,
  writes: readonly RunWrite[],
  { lockTimeoutMs, maxTimeouts }: Patience,
): Promise<CommitResult[]> {
  const results = writes.map((): CommitResult => 'locked');
  const left = writes.entries();
  let timeouts = 0;
  const work = async (): Promise<void> => {
    for (const [index, write] of left) {
      if (timeouts >= maxTimeouts) return;
      const result = await commitAlone(place, write, lockTimeoutMs);
      if (result === 'locked') timeouts += 1;
      results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: Math.min(APART_AT_ONCE, writes.length) }, work));
  return results;
}

/** Commits a write in its own transaction. Never rejects, because other writes are committed at the same time. */
async function commitAlone(place: CommitPlace, write: RunWrite, lockTimeoutMs: number): Promise<CommitResult> {
  const { runId } = write.run;
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      const [result = 'conflict'] = await commitTogether(place, [write], lockTimeoutMs);
      place.locked.forget(runId);
      return result;
    } catch (error) {
      if (isLockTimeout(error)) {
        place.locked.holdUp(runId);
        return 'locked';
      }
      const met = resultOfMet(error);
      if (met === undefined && isRetryable(error) && !isRepeated) continue;
      place.locked.forget(runId);
      return met ?? { error };
    }
  }
}

function runIdsOf(writes: readonly RunWrite[]): string[] {
  return writes.map(({ run }) => run.runId);
}

/** @param apartMs commits on a pooled connection and waits at most this long for each lock, in ms */
async function commitTogether(
  { database, committed }: CommitPlace,
  writes: readonly RunWrite[],
  apartMs?: number,
): Promise<CommitResult[]> {
  const query = (await inTurns(queryOf(writes, 'joined'))) ?? (await inTurns(queryOf(writes, 'list')));
  if (query === undefined) throw new Error('the writes cannot be encoded as a list');
  const locks = locksOf(writes);
  const { rows } =
    locks.length === 0 && apartMs === undefined
      ? await database.query(query)
      : await inTransaction(database, (transaction) => commitUnderLocks(transaction, query, writes), {
          locks,
          locksTimeoutMs: LOCK_TIMEOUT_MS,
          lockTimeoutMs: apartMs ?? LOCK_TIMEOUT_MS,
        });
  const [written, held, fenced] = [idsOf(rows, 'run'), idsOf(rows, 'held'), idsOf(rows, 'fenced')];
  const others = (['answered', 'outdated', 'crowded', 'revoked'] as const).map((result) => ({
    result,
    ids: idsOf(rows, result),
  }));
  const txid = rows.find((row) => row['kind'] === 'run')?.['txid'];
  if (written.size > 0)
    committed(
      BigInt(String(txid)),
      writes.filter((write) => written.has(write.run.runId)),
    );
  return writes.map((write) => {
    if (written.has(write.run.runId)) return 'committed';
    if (fenced.has(write.run.runId) || (write.fence !== null && !held.has(write.fence.jobId))) return 'fenced';
    return others.find(({ ids }) => ids.has(write.run.runId))?.result ?? 'conflict';
  });
}

/** Returns the statement and parameters for these writes; `undefined` if a text cannot be joined. Yields regularly. */
function* queryOf(
  writes: readonly RunWrite[],
  form: RowEncoding,
): Generator<void, { name: string; text: string; values: string[] } | undefined> {
  const kinds = runKinds(writes);
  const values = runTexts(writes, kinds, form);
  if (values === undefined) return undefined;
  const used: CommitPart[] = [];
  let mask = 0;
  for (const [index, part] of COMMIT_PARTS.entries()) {
    const rows: Row[] = [];
    for (const write of writes) for (const row of part.rows(write)) rows.push(row);
    if (rows.length === 0) continue;
    const text = yield* rowsTextInPieces(part.columns, rows, form);
    if (text === undefined) return undefined;
    // Not a bit operation, because those are limited to 32 bits.
    mask += 2 ** index;
    used.push(part);
    values.push(text);
  }
  const name = `commit_${form}_${kinds.begun ? 'n' : ''}${kinds.changed ? 'c' : ''}${kinds.fenced ? 'f' : ''}${kinds.erased ? 'e' : ''}_${mask}`;
  return { name, text: statement(name, kinds, used, form), values };
}

type ResultRows = Awaited<ReturnType<Queryable['query']>>['rows'];

/**
 * Returns the ids of runs or jobs that the statement reports as `kind`. One row lists all of them, because each row
 * has a cost on both sides.
 */
function idsOf(rows: ResultRows, kind: string): ReadonlySet<string> {
  return new Set(
    rows.filter((row) => row['kind'] === kind && row['ids'] !== null).flatMap((row) => String(row['ids']).split(',')),
  );
}

/**
 * Executes the statement, then publishes kept events in the same transaction, because the statement determines which
 * writes succeeded.
 */
async function commitUnderLocks(
  transaction: Queryable,
  query: Parameters<Queryable['query']>[0],
  writes: readonly RunWrite[],
): ReturnType<Queryable['query']> {
  const result = await transaction.query(query);
  const kept = keptEvents(writes);
  if (kept.length === 0) return result;
  const written = idsOf(result.rows, 'run');
  for (const { runId, cause, received } of kept) {
    if (written.has(runId)) await publishMessage(transaction, messageOf(cause.event), cause.leaseMs, received);
  }
  return result;
}

const statements = new Map<string, string>();

function statement(name: string, kinds: RunKinds, used: readonly CommitPart[], form: RowEncoding): string {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const firstOfParts = countRunTexts(kinds) + 1;
  const guards: string[] = [];
  const parts = used.map(({ name: part, columns, sql, barred }, index) => {
    const parameter = firstOfParts + index;
    if (barred !== undefined) {
      guards.push(
        `${part}_all AS MATERIALIZED (${rowsFrom(columns, parameter, form)}), ${part}_barred AS MATERIALIZED (${barred.replaceAll('FROM input', `FROM ${part}_all`)})`,
      );
    }
    const mine =
      barred === undefined
        ? rowsOfWritten(columns, parameter, form)
        : `SELECT * FROM ${part}_all WHERE run_id IN (SELECT run_id FROM ok)`;
    return `, ${part}_rows AS (${mine}), ${part} AS (${sql.replaceAll('FROM input', `FROM ${part}_rows`)})`;
  });
  const barring = used.filter((part) => part.barred !== undefined);
  const barred = barring.map(({ name }) => `SELECT run_id FROM ${name}_barred`).join(' UNION ALL ');
  const reports = barring.map(
    ({ name, barredResult = 'fenced' }) =>
      `UNION ALL SELECT '${barredResult}', string_agg(run_id::text, ','), NULL FROM ${name}_barred`,
  );
  const text = `
    WITH ${runExpressions(kinds, form, guards, barred)}
    ${parts.join('\n')}
    SELECT 'run' AS kind, string_agg(id, ',') AS ids, pg_current_xact_id_if_assigned()::text AS txid FROM ok
    ${kinds.fenced ? "UNION ALL SELECT 'held', string_agg(job_id::text, ','), NULL FROM fence" : ''}
    ${reports.join('\n')}`;
  statements.set(name, text);
  return text;
}

function isRetryable(error: unknown): boolean {
  return (
    isAnswered(error) || isDelivered(error) || (error instanceof Error && 'code' in error && error.code === DEADLOCK)
  );
}

function isAnswered(error: unknown): boolean {
  return violatedIndex(error) === ANSWERS_KEY;
}

/** Returns whether another server recorded the same delivery concurrently. */
function isDelivered(error: unknown): boolean {
  return EVENT_KEYS.has(violatedIndex(error));
}

function violatedIndex(error: unknown): unknown {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error
    ? error.constraint
    : undefined;
}
