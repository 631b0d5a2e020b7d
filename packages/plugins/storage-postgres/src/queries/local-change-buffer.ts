import type { Change, RunWrite } from '@countersign/core/ports';

/** Changes that are kept: what the feed's poller has not read yet, with room to spare. */
const KEPT = 2_000;

/** Changes that go by unasked for until nobody is taken to follow: a poller that is merely late still finds the newest. */
const MAX_UNREAD = 10 * KEPT;

/** A transaction and what it wrote, in the order of the feed: by run and number. */
export interface Transaction {
  readonly txid: bigint;
  readonly changes: readonly Change[];
}

/**
 * What this process has committed lately. The feed takes it from here, so that the database need only tell of what others
 * wrote. A transaction is here as a whole or not at all, and only after its commit: whatever is missing is read. So nothing
 * is kept while nobody follows the feed.
 */
export class LocalChangeBuffer {
  private readonly transactions = new Map<bigint, readonly Change[]>();
  private count = 0;
  /** Changes that went by since somebody last asked. */
  private unasked = MAX_UNREAD;

  note(txid: bigint, writes: readonly RunWrite[]): void {
    if (this.unasked >= MAX_UNREAD) return;
    const changes = [...writes].sort((a, b) => (a.run.runId < b.run.runId ? -1 : 1)).flatMap(changesOf);
    this.transactions.set(txid, changes);
    this.count += changes.length;
    this.unasked += changes.length;
    if (this.unasked >= MAX_UNREAD) {
      this.clear();
      return;
    }
    for (const [oldest, { length }] of this.transactions) {
      if (this.count <= KEPT) return;
      this.transactions.delete(oldest);
      this.count -= length;
    }
  }

  /** From a transaction on. */
  since(first: bigint): Transaction[] {
    this.unasked = 0;
    const found: Transaction[] = [];
    for (const [txid, changes] of this.transactions) if (txid >= first) found.push({ txid, changes });
    return found;
  }

  /** A connection was lost: should the database come back as it was earlier, its transactions are counted again. */
  clear(): void {
    this.transactions.clear();
    this.count = 0;
  }
}

function changesOf({ run, events }: RunWrite): Change[] {
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
