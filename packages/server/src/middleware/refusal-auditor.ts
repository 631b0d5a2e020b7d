import type { LoggerPort, StoragePort } from '@countersign/core';
import type { AuditEntry } from '@countersign/model';

/** Entries that may wait to be written; somebody who is refused without end must not fill the memory. */
const MAX_WAITING = 10_000;

/**
 * Records what people were refused, or took out, without the engine hearing of it. Each entry goes to the storage by itself, which writes
 * together what comes up together: one that can't be written costs the others nothing.
 */
export class RefusalAuditor {
  private waiting = 0;

  constructor(
    private readonly storage: Pick<StoragePort, 'appendAudit'>,
    private readonly log: LoggerPort,
  ) {}

  /** Settles when the entry is written, or could not be; then the log says so. */
  async record(entry: AuditEntry): Promise<void> {
    const about = { action: entry.action, actor: entry.actor?.id };
    if (this.waiting >= MAX_WAITING) {
      this.log.error(about, 'a refusal was not audited: too many wait to be written');
      return;
    }
    this.waiting += 1;
    try {
      await this.storage.appendAudit([entry]);
    } catch (error) {
      this.log.error({ err: error, ...about }, 'a refusal was not audited');
    } finally {
      this.waiting -= 1;
    }
  }
}
