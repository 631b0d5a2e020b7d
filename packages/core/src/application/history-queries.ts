import { inject, injectable } from 'inversify';
import { StoragePort } from '../ports/storage.js';
import { invalidCursor, makeCursor, readCursor } from './page-in-memory.js';
import { RunQueries, type PageView } from './run-queries.js';
import { auditEventView, type AuditEventView } from './views/audit-view.js';
import { runEventView, type RunEventView } from './views/event-view.js';

export interface EventListRequest {
  readonly runId: string;
  readonly after?: number;
  readonly limit: number;
  readonly cursor?: string;
}

export interface AuditListRequest {
  readonly runId?: string;
  readonly actor?: string;
  /** Audit event id: returns later events, oldest first. If omitted, events are listed newest first. */
  readonly after?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Queries for run events and audit events. */
@injectable()
export class HistoryQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /**
   * Returns the events of a run, oldest first.
   *
   * @throws {ApiError} `run_not_found`, `invalid_cursor`
   */
  async events({ runId, after = 0, limit, cursor }: EventListRequest): Promise<PageView<RunEventView>> {
    const from = cursor === undefined ? after : Number(readCursor('events', cursor));
    if (!Number.isSafeInteger(from) || from < 0) throw invalidCursor();
    const events = await this.storage.listRunEvents(runId, from, limit + 1);
    // Every run has events, so only an empty result may mean an unknown run.
    if (events.length === 0) await this.runs.find(runId);
    const items = events.slice(0, limit).map(runEventView);
    const last = items.at(-1);
    return {
      items,
      nextCursor: events.length > limit && last !== undefined ? makeCursor('events', String(last.seq)) : null,
    };
  }

  async audit({ runId, actor, after, limit, cursor }: AuditListRequest): Promise<PageView<AuditEventView>> {
    const forward = after !== undefined;
    const list = forward ? 'audit-after' : 'audit-before';
    const place = cursor === undefined ? after : readCursor(list, cursor);
    const records = await this.storage.listAudit(
      {
        ...(runId === undefined ? {} : { runId }),
        ...(actor === undefined ? {} : { actor }),
        ...(place === undefined ? {} : forward ? { after: place } : { before: place }),
      },
      limit + 1,
    );
    const items = records.slice(0, limit).map(auditEventView);
    const last = items.at(-1);
    return { items, nextCursor: records.length > limit && last !== undefined ? makeCursor(list, last.auditId) : null };
  }
}
