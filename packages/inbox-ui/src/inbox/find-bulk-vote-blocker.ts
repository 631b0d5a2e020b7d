import type { InboxItem } from '@countersign/contract';
import { texts } from '../texts/index.js';
import type { InboxHost } from './inbox-host.js';
import { opensSigningDialog, needsSigningKey } from './vote-permissions.js';

/** Maximum number of votes in one request. */
const MAX_BULK_VOTES = 100;
const { bulk } = texts.approvals;

/**
 * Returns why these approvals cannot be approved together; `undefined` if they can. The server applies the same rules
 * (`bulk_not_allowed`).
 */
export function findBulkVoteBlocker(
  approvals: readonly InboxItem[],
  host: Pick<InboxHost, 'signing'>,
): string | undefined {
  if (approvals.some(({ canDecide, status }) => status !== 'pending' || !canDecide.allowed)) return bulk.notMine;
  if (approvals.some((each) => needsSigningKey(each, host) || opensSigningDialog(each, host))) return bulk.signed;
  if (approvals.some(({ riskLevel }) => riskLevel !== 'low')) return bulk.risk;
  if (new Set(approvals.map(getBulkGroupKey)).size > 1) return bulk.kinds;
  return approvals.length > MAX_BULK_VOTES ? bulk.tooMany : undefined;
}

function getBulkGroupKey({ workflowId, elementId, subject }: InboxItem): string {
  return JSON.stringify([workflowId, elementId, subject.kind, subject.kind === 'tool_call' ? subject.tool : null]);
}
