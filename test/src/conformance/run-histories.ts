import type { StoragePort } from '@countersign/core/ports';
import type { ApprovalRecord, AuditRecord, RunEvent } from '@countersign/model';

/** Everything that is stored of a run and that its hashes cover. */
export interface RunHistory {
  readonly runId: string;
  readonly workflowId: string;
  readonly parentRunId: string | null;
  readonly startedAt: number;
  readonly events: readonly RunEvent[];
  /** The audit chain of the run, which has an entry for each command. */
  readonly audit: readonly AuditRecord[];
  /** The subjects of approvals, oldest first. Events contain only their digests. */
  readonly approvals: readonly Pick<ApprovalRecord, 'digest' | 'subject'>[];
}

const MAX_EVENTS = 100_000;
const PAGE_SIZE = 200;

/** Reads the complete histories of runs, in the order of their start. */
export async function readHistories(storage: StoragePort, runIds: readonly string[]): Promise<RunHistory[]> {
  const runs = await storage.findRuns(runIds);
  const histories: RunHistory[] = [];
  for (const { runId, workflowId, parentRunId, startedAt } of runs) {
    const events = await storage.listRunEvents(runId, 0, MAX_EVENTS);
    const audit = await readAudit(storage, runId);
    const approvals: ApprovalRecord[] = [];
    for (let cursor: string | undefined, isLast = false; !isLast;) {
      const page = await storage.listApprovals(
        { runId },
        { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
      );
      approvals.push(...page.items);
      cursor = page.nextCursor ?? undefined;
      isLast = cursor === undefined;
    }
    // The list begins with the newest one.
    histories.push({ runId, workflowId, parentRunId, startedAt, events, audit, approvals: approvals.reverse() });
  }
  return histories.sort((a, b) => a.startedAt - b.startedAt);
}

async function readAudit(storage: StoragePort, runId: string): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  for (let isLast = false; !isLast;) {
    const before = records.at(-1)?.auditId;
    const page = await storage.listAudit({ runId, ...(before === undefined ? {} : { before }) }, PAGE_SIZE);
    records.push(...page);
    isLast = page.length < PAGE_SIZE;
  }
  // The server's own chain has entries about the run, too.
  return records.filter((record) => record.runId === runId).sort((a, b) => a.seq - b.seq);
}
