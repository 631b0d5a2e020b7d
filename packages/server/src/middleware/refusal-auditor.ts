import type { LoggerPort, StoragePort } from '@countersign/core';
import type { AuditEntry } from '@countersign/model';

/** Maximum number of unwritten entries, so that endless refusals do not exhaust the memory. */
const MAX_PENDING = 10_000;

/**
 * Records refusals and exports that do not pass through the engine. Each entry is passed to the storage separately. The
 * storage writes concurrent entries together, so an entry that cannot be written does not affect the others.
 */
export class RefusalAuditor {
  private pendingCount = 0;

  constructor(
    private readonly storage: Pick<StoragePort, 'appendAudit'>,
    private readonly log: LoggerPort,
  ) {}

  /** Resolves when the entry was written or failed; failures are logged. */
  async record(entry: AuditEntry): Promise<void> {
    const logFields = { action: entry.action, actor: entry.actor?.id };
    if (this.pendingCount >= MAX_PENDING) {
      this.log.error(logFields, 'could not audit a refusal: too many audit events are waiting to be written');
      return;
    }
    this.pendingCount += 1;
    try {
      await this.storage.appendAudit([entry]);
    } catch (error) {
      this.log.error({ err: error, ...logFields }, 'could not audit a refusal');
    } finally {
      this.pendingCount -= 1;
    }
  }
}
