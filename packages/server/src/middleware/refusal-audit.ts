import type { StoragePort} from '@countersign/core';
import { type LoggerPort } from '@countersign/core';
import type { AuditEntry } from '@countersign/core/plugin';

/** Entries that may wait to be written; somebody who is refused without end must not fill the memory. */
const MAX_WAITING = 10_000;

/**
 * Records what people were refused before the engine heard of it. Entries that come up together are written together,
 * since all of them go into one chain.
 */
export class RefusalAudit {
  private waiting: AuditEntry[] = [];
  private writing: Promise<void> | undefined;

  constructor(
    private readonly storage: Pick<StoragePort, 'appendAudit'>,
    private readonly log: LoggerPort,
  ) {}

  /** Settles when the entry is written, or could not be; then the log says so. */
  async record(entry: AuditEntry): Promise<void> {
    if (this.waiting.length >= MAX_WAITING) {
      this.log.error({ action: entry.action, actor: entry.actor?.id }, 'a refusal was not audited: too many wait to be written');
      return;
    }
    this.waiting.push(entry);
    // Whoever comes while a batch is written belongs to the next one.
    await this.writing;
    await (this.writing ??= this.flush());
  }

  private async flush(): Promise<void> {
    // Never settled at once: `writing` would then stand for a batch that is over.
    await Promise.resolve();
    const entries = this.waiting;
    this.waiting = [];
    try {
      if (entries.length > 0) await this.storage.appendAudit(entries);
    } catch (error) {
      this.log.error({ err: error, count: entries.length }, 'refusals were not audited');
    } finally {
      this.writing = undefined;
    }
  }
}
