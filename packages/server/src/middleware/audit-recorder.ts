import type { LoggerPort, StoragePort } from '@countersign/core';
import type { AuditEntry } from '@countersign/model';

/** Maximum number of unwritten entries, so that a flood of refused requests does not exhaust the memory. */
const MAX_PENDING = 10_000;

/**
 * Records audit events of requests that do not pass through the engine, such as refused requests, exports and ended
 * sessions. Each entry is passed to the storage separately, so an entry that cannot be written does not affect the
 * others.
 */
export class AuditRecorder {
  private pendingCount = 0;

  constructor(
    private readonly storage: Pick<StoragePort, 'appendAudit'>,
    private readonly log: LoggerPort,
  ) {}

  /** Records an entry. Resolves once the entry is written or has failed; failures are logged. */
  async record(entry: AuditEntry): Promise<void> {
    const logFields = { action: entry.action, actor: entry.actor?.id };
    if (this.pendingCount >= MAX_PENDING) {
      this.log.error(logFields, 'could not record an audit event: too many audit events are waiting to be written');
      return;
    }
    this.pendingCount += 1;
    try {
      await this.storage.appendAudit([entry]);
    } catch (error) {
      this.log.error({ err: error, ...logFields }, 'could not record an audit event');
    } finally {
      this.pendingCount -= 1;
    }
  }
}
