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

/** Everything that goes with a run's row. A part without rows is left out of the statement. */
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
  /** Is told of each transaction, and of what it wrote, as soon as it is certain. */
  readonly committed: (txid: bigint, writes: readonly RunWrite[]) => void;
}

/** Limits of separate commits: how long each may wait for a lock, in ms, and after how many such waits no further one is begun. */
interface Patience {
  readonly lockTimeoutMs: number;
  readonly maxTimeouts: number;
}

/** Used when it is unknown which write of a batch waits for a lock. The rest of the batch waits for this search once. */
const SEARCH: Patience = { lockTimeoutMs: LOCK_TIMEOUT_MS, maxTimeouts: 20 };
/**
 * Used for runs that waited before, so that their batch is hardly delayed. Not shorter, because another server holds its
 * rows until its log is flushed.
 */
const QUICK: Patience = { lockTimeoutMs: 10, maxTimeouts: 8 };
/** Maximum number of connections that one batch uses for separate commits. */
const APART_AT_ONCE = 4;

const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';
const ANSWERS_KEY = 'idempotency_keys_pkey';
const EVENT_KEYS: ReadonlySet<unknown> = new Set(['inbound_events_key', 'inbound_events_body']);

/**
 * Writes the outcome of several runs' commands with one statement, so with one transaction, one round trip and one flush of
 * the log; with statements before it that take locks where it concerns messages. Whatever belongs to a run that someone else
 * has moved on meanwhile (by its revision), to a job that was taken over (by its epoch), or to something that someone else has
 * delivered is left out; the rest is written.
 *
 * Erasures search whole tables and are not sent to the shared connection. A write that waits for a locked row is `locked`
 * and does not delay the others.
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
  // The lock was on another row, or is gone.
  return commitApart(place, writes, SEARCH);
}

/** Those of some runs whose row is locked; all of them where somebody holds the whole table locked. */
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

/** After an attempt that met what somebody else wrote. @throws where that is not what the attempt failed by */
async function commitAgain(place: CommitPlace, writes: readonly RunWrite[], error: unknown): Promise<CommitResult[]> {
  if (!isRetryable(error)) throw error;
  if (writes.length === 1) {
    const met = resultOfMet(error);
    return met === undefined ? commitTogether(place, writes) : [met];
  }
  // One write of the batch met another server's: alone, each shows whether it was that one.
  const results: CommitResult[] = [];
  for (const write of writes) {
    const [result = 'conflict'] = await commitWrites(place, [write]).catch((error: unknown) => [{ error }]);
    results.push(result);
  }
  return results;
}

/** What a write comes to that met the same request or the same delivery of somebody else; `undefined` where it was a deadlock. */
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
      // Those apart may stand where these fail: each write has a result of its own.
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

/** Never rejects: other writes are committed at the same time. */
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
  if (query === undefined) throw new Error('any text can go into a list');
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

/** The statement for these writes, with its parameters; `undefined` where a text can't be joined. Yields now and then. */
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
    // No bit operation: those have 32 bits.
    mask += 2 ** index;
    used.push(part);
    values.push(text);
  }
  const name = `commit_${form}_${kinds.begun ? 'n' : ''}${kinds.changed ? 'c' : ''}${kinds.fenced ? 'f' : ''}${kinds.erased ? 'e' : ''}_${mask}`;
  return { name, text: statement(name, kinds, used, form), values };
}

type ResultRows = Awaited<ReturnType<Queryable['query']>>['rows'];

/** Which runs, or jobs, the statement says something of. It says so in one row for all of them: each row costs both sides. */
function idsOf(rows: ResultRows, kind: string): ReadonlySet<string> {
  return new Set(
    rows.filter((row) => row['kind'] === kind && row['ids'] !== null).flatMap((row) => String(row['ids']).split(',')),
  );
}

/** What is kept is published behind the statement that says which writes stand, and in its transaction. */
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

/** Whether someone else recorded the same delivery at the same time. */
function isDelivered(error: unknown): boolean {
  return EVENT_KEYS.has(violatedIndex(error));
}

function violatedIndex(error: unknown): unknown {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error
    ? error.constraint
    : undefined;
}
