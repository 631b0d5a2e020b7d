import type { Caller, ClockPort } from '@countersign/core';
import { type AuditEntry, toRecordedActor } from '@countersign/model';

/**
 * Within this time, repeated reads by the same actor count as one export, for example of further pages or byte ranges.
 */
const REPEAT_WINDOW_MS = 10 * 60_000;
const MAX_REMEMBERED_EXPORTS = 10_000;

/** Records exports from the server: evidence packs, artifacts, the audit trail. */
export class ExportAudit {
  private readonly lastRecordedAt = new Map<string, number>();

  constructor(
    private readonly record: (entry: AuditEntry) => Promise<void>,
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  /** Records an export, unless this server recorded the same export within the last ten minutes. */
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
