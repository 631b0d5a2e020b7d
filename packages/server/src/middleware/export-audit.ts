import type { Caller, ClockPort } from '@countersign/core';
import { type AuditEntry, toRecordedActor } from '@countersign/model';

/** Repeated reads by the same person, page by page and part by part, count as one export within this time. */
const REPEAT_WINDOW_MS = 10 * 60_000;
const MAX_REMEMBERED_EXPORTS = 10_000;

/** Records exports from the server: evidence packs, artifacts, the audit trail. */
export class ExportAudit {
  private readonly lastRecordedAt = new Map<string, number>();

  constructor(
    private readonly record: (entry: AuditEntry) => Promise<void>,
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  /** Resolves when the export is recorded, or if this server recorded it within the last ten minutes. */
  async recordOnce(
    { actor, from, traceId }: Caller,
    action: string,
    target: { readonly type: string; readonly id: string },
    data: AuditEntry['data'] = {},
  ): Promise<void> {
    const now = this.clock.now();
    const key = JSON.stringify([actor.type, actor.id, action, target.id, data]);
    if (now - (this.lastRecordedAt.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_WINDOW_MS) return;
    this.lastRecordedAt.delete(key);
    this.lastRecordedAt.set(key, now);
    const oldest = this.lastRecordedAt.size > MAX_REMEMBERED_EXPORTS ? this.lastRecordedAt.keys().next() : undefined;
    if (oldest?.done === false) this.lastRecordedAt.delete(oldest.value);
    await this.record({
      at: now,
      actor: toRecordedActor(actor),
      action,
      target,
      result: 'ok',
      from,
      data: { traceId, ...data },
    });
  }
}
