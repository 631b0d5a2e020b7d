import type pg from 'pg';
import type { AuditEntry } from '@countersign/model';
import { inTransaction } from '../database/transaction.js';
import { appendAudit } from './append-audit.js';

/**
 * Maximum number of entries per transaction, unless a single append has more. Further appends wait for the next
 * transaction.
 */
const MAX_BATCH_ENTRIES = 500;

interface PendingAppend {
  readonly entries: readonly AuditEntry[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends to the audit chain of the server, in one transaction at a time. Entries that arrive while a transaction is in
 * progress share the next one. All appends wait for the same lock anyway. Each refused request appends an entry, and
 * many of them must not use up the connections that the engine needs.
 */
export class AuditAppender {
  #pending: PendingAppend[] = [];
  #isRunning = false;

  constructor(private readonly pool: () => pg.Pool) {}

  /** Resolves when the entries are committed. */
  append(entries: readonly AuditEntry[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ entries, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#pending.length > 0) await this.#write(this.#takeBatch());
    this.#isRunning = false;
  }

  async #write(batch: readonly PendingAppend[]): Promise<void> {
    try {
      await inTransaction(this.pool(), (transaction) =>
        appendAudit(
          transaction,
          batch.flatMap(({ entries }) => entries),
        ),
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // Entries that cannot be stored must not make the other appends fail.
      if (batch.length > 1 && isDataError(error)) for (const pendingAppend of batch) await this.#write([pendingAppend]);
      else for (const { reject } of batch) reject(error);
    }
  }

  #takeBatch(): PendingAppend[] {
    let size = 0;
    const end = this.#pending.findIndex(({ entries }) => (size += entries.length) > MAX_BATCH_ENTRIES);
    return this.#pending.splice(0, end === -1 ? this.#pending.length : Math.max(1, end));
  }
}

/** Returns whether an error is a data exception (SQLSTATE class 22). */
function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22');
}
