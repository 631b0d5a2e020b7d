import { createHash } from 'node:crypto';
import type { MessageChannel, RunWrite } from '@countersign/core/ports';

/** First part of the keys of advisory locks for messages. */
const LOCK_CLASS = 0x6d73_6773;

/**
 * Number of different locks. This limits the number that a transaction takes, however many subscriptions it opens:
 * PostgreSQL has room for only a few thousand in total. Channels that share a lock wait for each other unnecessarily,
 * for the duration of a commit.
 */
const LOCK_COUNT = 256;

/** Returns the lock for publishing a message and opening a subscription. */
export function getChannelLock({ messageName, correlationKey }: MessageChannel): number {
  return toLock('channel', messageName, correlationKey);
}

/** Returns the lock for taking and freeing a start key, and for checking whether it is taken. */
export function getStartKeyLock(workflowId: string, correlationKey: string): number {
  return toLock('start key', workflowId, correlationKey);
}

/**
 * Returns the locks of a commit: none if it neither opens a subscription, nor takes or frees a start key, nor keeps an
 * event.
 */
export function findCommitLocks(writes: readonly RunWrite[]): number[] {
  return writes.flatMap(({ run, subscriptionsOpened, startKey, cause }) => [
    ...subscriptionsOpened.map(getChannelLock),
    ...(cause?.from === 'event' && cause.keep ? [getChannelLock(cause.event)] : []),
    ...(startKey === null ? [] : [getStartKeyLock(run.workflowId, startKey.correlationKey)]),
  ]);
}

/**
 * Returns the statements that take locks until the transaction ends. They run first in each transaction, before any
 * row is locked, and always in the same order, which prevents deadlocks.
 *
 * They are separate statements, because the next statement must see what an earlier holder of a lock has committed.
 */
export function buildLockStatements(locks: readonly number[]): string {
  return [...new Set(locks)]
    .sort((a, b) => a - b)
    .map((lock) => `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${lock})`)
    .join('; ');
}

function toLock(...parts: readonly string[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0) % LOCK_COUNT;
}
