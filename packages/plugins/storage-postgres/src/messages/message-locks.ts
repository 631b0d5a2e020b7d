import { createHash } from 'node:crypto';
import type { MessageChannel, RunWrite } from '@countersign/core/ports';

/** First part of the keys of these advisory locks. */
const LOCK_CLASS = 0x6d73_6773;

/**
 * Different locks. A transaction takes at most all of them, however many subscriptions it opens; PostgreSQL has room for
 * some thousands in all. Two channels that share one wait for each other without need, for as long as a commit takes.
 */
const LOCKS = 256;

/** What a message is published under, and a subscription opened. */
export function channelLock({ messageName, correlationKey }: MessageChannel): number {
  return lockOf('channel', messageName, correlationKey);
}

/** What a start key is taken and freed under, and found taken for good. */
export function startKeyLock(workflowId: string, correlationKey: string): number {
  return lockOf('start key', workflowId, correlationKey);
}

/** The locks of a commit: none where it neither opens a subscription, nor takes or frees a start key, nor keeps an event. */
export function locksOf(writes: readonly RunWrite[]): number[] {
  return writes.flatMap(({ run, subscriptionsOpened, startKey, cause: delivery }) => [
    ...subscriptionsOpened.map(channelLock),
    ...(delivery?.from === 'event' && delivery.keep ? [channelLock(delivery.event)] : []),
    ...(startKey === null ? [] : [startKeyLock(run.workflowId, startKey.correlationKey)]),
  ]);
}

/**
 * The statements that take locks until the end of the transaction. They are the first of each transaction, before any row
 * is locked, and always in the same order: so nobody who holds what another waits for can wait for that one's locks.
 *
 * They are statements of their own: the next one must see what whoever held a lock before has committed.
 */
export function lockStatements(locks: readonly number[]): string {
  return [...new Set(locks)]
    .sort((a, b) => a - b)
    .map((lock) => `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${lock})`)
    .join('; ');
}

function lockOf(...parts: readonly string[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0) % LOCKS;
}
