import type { Change, RunWrite } from '@countersign/core/ports';

/** Maximum number of buffered changes: those that the poller of the feed has not read yet, with a reserve. */
const MAX_CHANGES = 2_000;

/**
 * Number of unread changes after which the feed counts as unused. A poller that is merely late still finds the newest
 * changes.
 */
const MAX_UNREAD = 10 * MAX_CHANGES;

/** Transaction with its changes in feed order: by run and sequence number. */
export interface Transaction {
  readonly txid: bigint;
  readonly changes: readonly Change[];
}

/**
 * Buffer of recent commits of this process, so that the feed reads only the commits of other processes from the
 * database. It contains a transaction completely or not at all, and only after its commit; missing transactions are
 * read from the database. While the feed is not used, the buffer stays empty.
 */
export class LocalChangeBuffer {
  private readonly transactions = new Map<bigint, readonly Change[]>();
  private count = 0;
  /** Number of changes since the last read. */
  private unreadCount = MAX_UNREAD;

  add(txid: bigint, writes: readonly RunWrite[]): void {
    if (this.unreadCount >= MAX_UNREAD) return;
    const changes = [...writes].sort((a, b) => (a.run.runId < b.run.runId ? -1 : 1)).flatMap(toChanges);
    this.transactions.set(txid, changes);
    this.count += changes.length;
    this.unreadCount += changes.length;
    if (this.unreadCount >= MAX_UNREAD) {
      this.clear();
      return;
    }
    for (const [oldest, { length }] of this.transactions) {
      if (this.count <= MAX_CHANGES) return;
      this.transactions.delete(oldest);
      this.count -= length;
    }
  }

  /** Returns the buffered transactions with this id or a later one. */
  readSince(first: bigint): Transaction[] {
    this.unreadCount = 0;
    const found: Transaction[] = [];
    for (const [txid, changes] of this.transactions) if (txid >= first) found.push({ txid, changes });
    return found;
  }

  /**
   * Empties the buffer, for example after a lost connection: if the database was restored to an earlier state,
   * transaction ids are reused.
   */
  clear(): void {
    this.transactions.clear();
    this.count = 0;
  }
}

function toChanges({ run, events }: RunWrite): Change[] {
  const { runId, workflowId, parentRunId } = run;
  return events.map(({ type, seq, at, stepId, elementId, dataText }) => ({
    runId,
    workflowId,
    parentRunId,
    type,
    seq,
    at,
    stepId,
    elementId,
    dataText,
  }));
}
