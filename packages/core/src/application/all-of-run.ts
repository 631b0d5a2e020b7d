import type { RunEvent } from '@countersign/model';
import type { AuditRecord } from '../ports/records.js';
import type { StoragePort } from '../ports/storage.js';

const PAGE = 1_000;

/** All events of a run up to one of them, oldest first. */
export async function allEvents(
  storage: Pick<StoragePort, 'listRunEvents'>,
  runId: string,
  upTo: number,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  while (events.length < upTo) {
    const page = await storage.listRunEvents(runId, events.length, Math.min(PAGE, upTo - events.length));
    if (page.length === 0) throw new Error(`Run ${runId} has ${events.length} events, but its state says ${upTo}.`);
    events.push(...page);
  }
  return events;
}

/** All audit events about a run, of its own chain and of the server's, by their positions. */
export async function allAudit(storage: Pick<StoragePort, 'listAudit'>, runId: string): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  for (let page = PAGE; page === PAGE;) {
    const before = records.at(-1)?.auditId;
    const older = await storage.listAudit({ runId, ...(before === undefined ? {} : { before }) }, PAGE);
    records.push(...older);
    page = older.length;
  }
  return records.sort((a, b) => a.seq - b.seq);
}
