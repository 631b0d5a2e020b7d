import type { Caller, ClockPort } from '@countersign/core';
import { type AuditEntry, recordedActor } from '@countersign/model';

/** Repeated reads by the same person, page by page and part by part, count as one export within this time. */
const ONCE_IN_MS = 10 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Records exports from the server: evidence packs, artifacts, the audit trail. */
export class ExportAudit {
  private readonly recorded = new Map<string, number>();

  constructor(
    private readonly record: (entry: AuditEntry) => Promise<void>,
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  /** Resolves when the export is recorded, or if this server recorded it within the last ten minutes. */
  async note(
    { actor, from, traceId }: Caller,
    action: string,
    target: { readonly type: string; readonly id: string },
    data: AuditEntry['data'] = {},
  ): Promise<void> {
    const now = this.clock.now();
    const key = JSON.stringify([actor.type, actor.id, action, target.id, data]);
    if (now - (this.recorded.get(key) ?? Number.NEGATIVE_INFINITY) < ONCE_IN_MS) return;
    this.recorded.delete(key);
    this.recorded.set(key, now);
    const oldest = this.recorded.size > MAX_REMEMBERED ? this.recorded.keys().next() : undefined;
    if (oldest?.done === false) this.recorded.delete(oldest.value);
    await this.record({
      at: now,
      actor: recordedActor(actor),
      action,
      target,
      result: 'ok',
      from,
      data: { traceId, ...data },
    });
  }
}
