import { inject, injectable } from 'inversify';
import { StoragePort } from '../ports/storage.js';
import { invalidCursorError, encodeCursor, decodeCursor } from './paginate.js';
import { RunQueries, type PageView } from './run-queries.js';
import { toAuditEventView, type AuditEventView } from './views/audit-view.js';
import { toRunEventView, type RunEventView } from './views/run-event-view.js';

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
  async listEvents({ runId, after = 0, limit, cursor }: EventListRequest): Promise<PageView<RunEventView>> {
    const startAfter = cursor === undefined ? after : Number(decodeCursor('events', cursor));
    if (!Number.isSafeInteger(startAfter) || startAfter < 0) throw invalidCursorError();
    const events = await this.storage.listRunEvents(runId, startAfter, limit + 1);
    // Every run has events, so only an empty result may mean an unknown run.
    if (events.length === 0) await this.runs.find(runId);
    const items = events.slice(0, limit).map(toRunEventView);
    const last = items.at(-1);
    return {
      items,
      nextCursor: events.length > limit && last !== undefined ? encodeCursor('events', String(last.seq)) : null,
    };
  }

  async listAudit({ runId, actor, after, limit, cursor }: AuditListRequest): Promise<PageView<AuditEventView>> {
    const isForward = after !== undefined;
    const listName = isForward ? 'audit-after' : 'audit-before';
    const position = cursor === undefined ? after : decodeCursor(listName, cursor);
    const records = await this.storage.listAudit(
      {
        ...(runId === undefined ? {} : { runId }),
        ...(actor === undefined ? {} : { actor }),
        ...(position === undefined ? {} : isForward ? { after: position } : { before: position }),
      },
      limit + 1,
    );
    const items = records.slice(0, limit).map(toAuditEventView);
    const last = items.at(-1);
    return {
      items,
      nextCursor: records.length > limit && last !== undefined ? encodeCursor(listName, last.auditId) : null,
    };
  }
}
