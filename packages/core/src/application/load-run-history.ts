import type { RunEvent } from '@countersign/model';
import type { AuditRecord } from '../ports/records.js';
import type { StoragePort } from '../ports/storage.js';

const PAGE_SIZE = 1_000;

/** Returns the events of a run up to a position, oldest first. */
export async function loadAllEvents(
  storage: Pick<StoragePort, 'listRunEvents'>,
  runId: string,
  upTo: number,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  while (events.length < upTo) {
    const page = await storage.listRunEvents(runId, events.length, Math.min(PAGE_SIZE, upTo - events.length));
    if (page.length === 0) throw new Error(`Run ${runId} has ${events.length} events, but its state expects ${upTo}.`);
    events.push(...page);
  }
  return events;
}

/** Returns all audit events of a run, from its own chain and the server's, by position. */
export async function loadAllAudit(storage: Pick<StoragePort, 'listAudit'>, runId: string): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  for (let pageLength = PAGE_SIZE; pageLength === PAGE_SIZE;) {
    const before = records.at(-1)?.auditId;
    const page = await storage.listAudit({ runId, ...(before === undefined ? {} : { before }) }, PAGE_SIZE);
    records.push(...page);
    pageLength = page.length;
  }
  return records.sort((a, b) => a.seq - b.seq);
}
