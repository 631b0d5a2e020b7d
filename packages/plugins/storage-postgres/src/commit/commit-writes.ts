import type { CommitResult, RunWrite } from '@countersign/core/ports';
import { runTimeSliced } from '@countersign/model';
import { isLockTimeout, LOCK_TIMEOUT_MS } from '../database/pipelined-connection.js';
import { inTransaction, type CommitDatabase, type Queryable } from '../database/transaction.js';
import { toMessage } from '../inbound-events/inbound-event-row.js';
import { findCommitLocks } from '../messages/message-locks.js';
import { publishMessage } from '../messages/publish-message.js';
import { ABSENCE_PARTS } from './absence-parts.js';
import { ANNOUNCEMENT_PARTS } from './announcement-parts.js';
import { APPROVAL_PARTS } from './approval-parts.js';
import {
  selectRows,
  selectRowsOfWrittenRuns,
  encodeRowsInPieces,
  type CommitPart,
  type Row,
  type RowEncoding,
} from './commit-part.js';
import { DECISION_PARTS } from './decision-parts.js';
import { ERASURE_PARTS } from './erasure-parts.js';
import { INBOUND_EVENT_PARTS, findEventsToKeep } from './inbound-event-parts.js';
import { HISTORY_PARTS } from './history-parts.js';
import type { LockedRuns } from './locked-runs.js';
import { MESSAGE_PARTS } from './message-parts.js';
import { OUTBOX_PARTS } from './outbox-parts.js';
import { QUESTION_PARTS } from './question-parts.js';
import { countRunParameters, buildRunExpressions, findRunKinds, encodeRuns, type RunKinds } from './run-rows.js';
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
  ...INBOUND_EVENT_PARTS,
  ...QUESTION_PARTS,
  ...SIGNING_KEY_PARTS,
  ...ABSENCE_PARTS,
  ...ERASURE_PARTS,
  ...ANNOUNCEMENT_PARTS,
];

export interface CommitTarget {
  readonly database: CommitDatabase;
  readonly runLocks: LockedRuns;
  /** Called with the id of each transaction and its writes, as soon as the commit is certain. */
  readonly onCommitted: (txid: bigint, writes: readonly RunWrite[]) => void;
}

/**
 * Limits of separate commits: how long each may wait for a lock, in ms, and the number of timed-out waits after which
 * no further commit starts.
 */
interface LockWaitLimits {
  readonly lockTimeoutMs: number;
  readonly maxTimeouts: number;
}

/**
 * Used for erasures, and when it is unknown which write of a batch waits for a lock. The rest of the batch waits for
 * this search once.
 */
const SEARCH_LIMITS: LockWaitLimits = { lockTimeoutMs: LOCK_TIMEOUT_MS, maxTimeouts: 20 };
/**
 * Used for runs that waited before, so that they hardly delay their batch. The timeout is not shorter, because another
 * server locks the rows that it writes until its WAL is flushed.
 */
const QUICK_LIMITS: LockWaitLimits = { lockTimeoutMs: 10, maxTimeouts: 8 };
/** Maximum number of connections that one batch uses for separate commits. */
const MAX_PARALLEL_COMMITS = 4;

const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';
const IDEMPOTENCY_INDEX = 'idempotency_keys_pkey';
const EVENT_INDEXES: ReadonlySet<unknown> = new Set(['inbound_events_key', 'inbound_events_body']);

/**
 * Writes the results of commands of several runs in one statement, and so in one transaction with one round trip and
 * one WAL flush. If messages are involved, statements that take locks precede it. A write is left out if another
 * writer has advanced its run (checked by revision), claimed its job (by epoch), or consumed its cause; the rest is
 * written.
 *
 * Erasures search whole tables and are not sent to the shared connection. A write that waits for a locked row is
 * `locked` and does not delay the others.
 */
export async function commitWrites(target: CommitTarget, writes: readonly RunWrite[]): Promise<CommitResult[]> {
  if (writes.length === 0) return [];
  const { runLocks } = target;
  const runIds = toRunIds(writes);
  const knownLockedIds = runLocks.filterKnownLocked(runIds);
  const lockedRuns = knownLockedIds.length === 0 ? new Set<string>() : await findLocked(target, knownLockedIds);
  if (lockedRuns.size > 0) return commitWithoutRuns(target, writes, lockedRuns);
  const erasingRunIds = new Set(writes.filter(({ erasure }) => erasure !== null).map(({ run }) => run.runId));
  if (erasingRunIds.size > 0)
    return commitWithoutRuns(target, writes, erasingRunIds, (separateWrites) =>
      commitEachSeparately(target, separateWrites, SEARCH_LIMITS),
    );
  const delayedRuns = runLocks.filterDelayed(runIds);
  if (delayedRuns.size > 0)
    return commitWithoutRuns(target, writes, delayedRuns, (separateWrites) =>
      commitEachSeparately(target, separateWrites, QUICK_LIMITS),
    );
  try {
    return await commitTogether(target, writes);
  } catch (error) {
    if (!isLockTimeout(error)) return retryCommit(target, writes, error);
  }
  const currentlyLockedRuns = await findLocked(target, runIds);
  if (currentlyLockedRuns.size > 0) return commitWithoutRuns(target, writes, currentlyLockedRuns);
  // The lock was on another row, or has been released.
  return commitEachSeparately(target, writes, SEARCH_LIMITS);
}

/** Returns the runs whose row is locked; all of them if another session locks the whole table. */
async function findLocked(
  { database, runLocks }: CommitTarget,
  runIds: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    return await inTransaction(database, (transaction) => runLocks.findLocked(transaction, runIds), {
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
async function retryCommit(target: CommitTarget, writes: readonly RunWrite[], error: unknown): Promise<CommitResult[]> {
  if (!isRetryable(error)) throw error;
  if (writes.length === 1) {
    const knownResult = findResultOfViolation(error);
    return knownResult === undefined ? commitTogether(target, writes) : [knownResult];
  }
  // One write of the batch conflicted with another server. Separate commits show which one.
  const results: CommitResult[] = [];
  for (const write of writes) {
    const [result = 'conflict'] = await commitWrites(target, [write]).catch((error: unknown) => [{ error }]);
    results.push(result);
  }
  return results;
}

/**
 * Returns the result of a write that conflicted with the same request or inbound event of another writer; `undefined`
 * for any other error, such as a deadlock.
 */
function findResultOfViolation(error: unknown): CommitResult | undefined {
  if (isDuplicateRequest(error)) return 'answered';
  return isDuplicateEvent(error) ? 'fenced' : undefined;
}

/**
 * Commits all writes except those of some runs.
 *
 * @param commitSeparately commits the excluded writes at the same time; by default they are `locked`
 */
async function commitWithoutRuns(
  target: CommitTarget,
  writes: readonly RunWrite[],
  runIds: ReadonlySet<string>,
  commitSeparately = (separateWrites: readonly RunWrite[]): Promise<CommitResult[]> =>
    Promise.resolve(separateWrites.map(() => 'locked')),
): Promise<CommitResult[]> {
  const separateWrites = writes.filter(({ run }) => runIds.has(run.runId));
  const others = writes.filter(({ run }) => !runIds.has(run.runId));
  const results = (
    await Promise.all([
      commitSeparately(separateWrites),
      // A failure becomes the result of each of these writes, because the separate commits may have succeeded.
      commitWrites(target, others).catch((error: unknown) => others.map((): CommitResult => ({ error }))),
    ])
  ).flat();
  const byRun = new Map([...separateWrites, ...others].map(({ run }, index) => [run.runId, results[index]]));
  return writes.map(({ run }) => byRun.get(run.runId) ?? 'locked');
}

/**
 * Commits each write in its own transaction on pooled connections, to find the writes that wait for a lock. The result
 * of those writes is `locked`, and their runs are remembered. Writes that are not reached, because too many others
 * wait, are `locked`, too.
 */
async function commitEachSeparately(
  target: CommitTarget,
  writes: readonly RunWrite[],
  { lockTimeoutMs, maxTimeouts }: LockWaitLimits,
): Promise<CommitResult[]> {
  const results = writes.map((): CommitResult => 'locked');
  const remainingWrites = writes.entries();
  let timeouts = 0;
  const commitNext = async (): Promise<void> => {
    for (const [index, write] of remainingWrites) {
      if (timeouts >= maxTimeouts) return;
      const result = await commitSingleWrite(target, write, lockTimeoutMs);
      if (result === 'locked') timeouts += 1;
      results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_COMMITS, writes.length) }, commitNext));
  return results;
}

/** Commits a write in its own transaction. Never rejects, because other writes are committed at the same time. */
async function commitSingleWrite(target: CommitTarget, write: RunWrite, lockTimeoutMs: number): Promise<CommitResult> {
  const { runId } = write.run;
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      const [result = 'conflict'] = await commitTogether(target, [write], lockTimeoutMs);
      target.runLocks.clearDelayed(runId);
      return result;
    } catch (error) {
      if (isLockTimeout(error)) {
        target.runLocks.markDelayed(runId);
        return 'locked';
      }
      const knownResult = findResultOfViolation(error);
      if (knownResult === undefined && isRetryable(error) && !isRepeated) continue;
      target.runLocks.clearDelayed(runId);
      return knownResult ?? { error };
    }
  }
}

function toRunIds(writes: readonly RunWrite[]): string[] {
  return writes.map(({ run }) => run.runId);
}

/** @param lockTimeoutMs maximum wait for each lock, in ms; if given, the commit uses a pooled connection */
async function commitTogether(
  { database, onCommitted }: CommitTarget,
  writes: readonly RunWrite[],
  lockTimeoutMs?: number,
): Promise<CommitResult[]> {
  const query =
    (await runTimeSliced(buildQuery(writes, 'joined'))) ?? (await runTimeSliced(buildQuery(writes, 'list')));
  if (query === undefined) throw new Error('the writes cannot be encoded as a list');
  const locks = findCommitLocks(writes);
  const { rows } =
    locks.length === 0 && lockTimeoutMs === undefined
      ? await database.query(query)
      : await inTransaction(database, (transaction) => commitUnderLocks(transaction, query, writes), {
          locks,
          advisoryLockTimeoutMs: LOCK_TIMEOUT_MS,
          lockTimeoutMs: lockTimeoutMs ?? LOCK_TIMEOUT_MS,
        });
  const [writtenRunIds, heldJobIds, fencedRunIds] = [
    readIds(rows, 'run'),
    readIds(rows, 'held'),
    readIds(rows, 'fenced'),
  ];
  const rejections = (['answered', 'outdated', 'crowded', 'revoked'] as const).map((result) => ({
    result,
    ids: readIds(rows, result),
  }));
  const txid = rows.find((row) => row['kind'] === 'run')?.['txid'];
  if (writtenRunIds.size > 0)
    onCommitted(
      BigInt(String(txid)),
      writes.filter((write) => writtenRunIds.has(write.run.runId)),
    );
  return writes.map((write) => {
    if (writtenRunIds.has(write.run.runId)) return 'committed';
    if (fencedRunIds.has(write.run.runId) || (write.fence !== null && !heldJobIds.has(write.fence.jobId)))
      return 'fenced';
    return rejections.find(({ ids }) => ids.has(write.run.runId))?.result ?? 'conflict';
  });
}

/** Returns the statement and parameters for these writes; `undefined` if a text cannot be joined. Yields regularly. */
function* buildQuery(
  writes: readonly RunWrite[],
  encoding: RowEncoding,
): Generator<void, { name: string; text: string; values: string[] } | undefined> {
  const kinds = findRunKinds(writes);
  const values = encodeRuns(writes, kinds, encoding);
  if (values === undefined) return undefined;
  const usedParts: CommitPart[] = [];
  let mask = 0;
  for (const [index, part] of COMMIT_PARTS.entries()) {
    const rows: Row[] = [];
    for (const write of writes) for (const row of part.rows(write)) rows.push(row);
    if (rows.length === 0) continue;
    const text = yield* encodeRowsInPieces(part.columns, rows, encoding);
    if (text === undefined) return undefined;
    // Not a bit operation, because those are limited to 32 bits.
    mask += 2 ** index;
    usedParts.push(part);
    values.push(text);
  }
  const name = `commit_${encoding}_${kinds.hasNew ? 'n' : ''}${kinds.hasChanged ? 'c' : ''}${kinds.hasFence ? 'f' : ''}${kinds.hasErasure ? 'e' : ''}_${mask}`;
  return { name, text: buildStatement(name, kinds, usedParts, encoding), values };
}

type ResultRows = Awaited<ReturnType<Queryable['query']>>['rows'];

/**
 * Returns the ids of runs or jobs that the statement reports as `kind`. One row lists all of them, because each row has
 * a cost in the database and in this process.
 */
function readIds(rows: ResultRows, kind: string): ReadonlySet<string> {
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
  const eventsToKeep = findEventsToKeep(writes);
  if (eventsToKeep.length === 0) return result;
  const writtenRunIds = readIds(result.rows, 'run');
  for (const { runId, cause, received } of eventsToKeep) {
    if (writtenRunIds.has(runId)) await publishMessage(transaction, toMessage(cause.event), cause.leaseMs, received);
  }
  return result;
}

const statements = new Map<string, string>();

function buildStatement(
  name: string,
  kinds: RunKinds,
  usedParts: readonly CommitPart[],
  encoding: RowEncoding,
): string {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const firstPartParameter = countRunParameters(kinds) + 1;
  const guards: string[] = [];
  const parts = usedParts.map(({ name: part, columns, sql, rejectedSql }, index) => {
    const parameter = firstPartParameter + index;
    if (rejectedSql !== undefined) {
      guards.push(
        `${part}_all AS MATERIALIZED (${selectRows(columns, parameter, encoding)}), ${part}_barred AS MATERIALIZED (${rejectedSql.replaceAll('FROM input', `FROM ${part}_all`)})`,
      );
    }
    const rowsSql =
      rejectedSql === undefined
        ? selectRowsOfWrittenRuns(columns, parameter, encoding)
        : `SELECT * FROM ${part}_all WHERE run_id IN (SELECT run_id FROM ok)`;
    return `, ${part}_rows AS (${rowsSql}), ${part} AS (${sql.replaceAll('FROM input', `FROM ${part}_rows`)})`;
  });
  const guardedParts = usedParts.filter((part) => part.rejectedSql !== undefined);
  const barred = guardedParts.map(({ name }) => `SELECT run_id FROM ${name}_barred`).join(' UNION ALL ');
  const rejectionQueries = guardedParts.map(
    ({ name, rejectedResult = 'fenced' }) =>
      `UNION ALL SELECT '${rejectedResult}', string_agg(run_id::text, ','), NULL FROM ${name}_barred`,
  );
  const text = `
    WITH ${buildRunExpressions(kinds, encoding, guards, barred)}
    ${parts.join('\n')}
    SELECT 'run' AS kind, string_agg(id, ',') AS ids, pg_current_xact_id_if_assigned()::text AS txid FROM ok
    ${kinds.hasFence ? "UNION ALL SELECT 'held', string_agg(job_id::text, ','), NULL FROM fence" : ''}
    ${rejectionQueries.join('\n')}`;
  statements.set(name, text);
  return text;
}

function isRetryable(error: unknown): boolean {
  return (
    isDuplicateRequest(error) ||
    isDuplicateEvent(error) ||
    (error instanceof Error && 'code' in error && error.code === DEADLOCK)
  );
}

function isDuplicateRequest(error: unknown): boolean {
  return findViolatedIndex(error) === IDEMPOTENCY_INDEX;
}

/** Returns whether another server recorded the same inbound event concurrently. */
function isDuplicateEvent(error: unknown): boolean {
  return EVENT_INDEXES.has(findViolatedIndex(error));
}

function findViolatedIndex(error: unknown): unknown {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error
    ? error.constraint
    : undefined;
}
