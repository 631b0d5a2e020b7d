import type { Caller, ClockPort } from '@countersign/core';
import { type AuditEntry, recordedActor } from '@countersign/model';

/** The same person reads the same thing again and again, page by page and part by part: that is one export. */
const ONCE_IN_MS = 10 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Records what somebody took out of the server: evidence packs, artifacts, the audit trail. */
export class ExportAudit {
  private readonly recorded = new Map<string, number>();

  constructor(
    private readonly record: (entry: AuditEntry) => Promise<void>,
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  /** Settles when it is recorded, or was within the last ten minutes by this server. */
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
