import type { Approval, ChangeMessage, InboxItem } from '@countersign/contract';
import type { WaitingItem } from './waiting-item.js';
import type { InboxClient } from './waiting-items-watch.js';

export const SERVER = '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e77';

export function createItem(approvalId: string, overrides: Partial<WaitingItem> = {}): WaitingItem {
  return {
    serverId: SERVER,
    approvalId,
    round: 1,
    title: `Approve ${approvalId}`,
    request: 'Continue the release run.',
    requestedBy: 'vera',
    riskLevel: 'low',
    requestedAt: '2026-11-23T09:00:00.000Z',
    dueAt: null,
    digest: '',
    ...overrides,
  };
}

export function createApproval(approvalId: string, overrides: Partial<Approval> = {}): Approval {
  return {
    approvalId,
    round: 1,
    status: 'pending',
    canDecide: { allowed: true, reasons: [] },
    title: `Approve ${approvalId}`,
    summary: '',
    workflowId: 'release',
    requestedBy: 'vera',
    requestedAt: '2026-11-23T09:00:00.000Z',
    dueAt: null,
    riskLevel: 'low',
    subject: { kind: 'user_task' },
    ...overrides,
  } as Approval;
}

/** In-memory client that returns approvals in pages and records each request in `requests`. */
export class InMemoryInboxClient implements InboxClient {
  readonly byId = new Map<string, InboxItem>();
  readonly requests: string[] = [];
  isFailing = false;

  constructor(...approvals: readonly InboxItem[]) {
    for (const approval of approvals) this.byId.set(approval.approvalId, approval);
  }

  readonly listInbox: InboxClient['listInbox'] = (query = {}) => {
    const { limit = 50, cursor = '0', approvalIds } = query;
    this.requests.push(approvalIds ?? 'list');
    if (this.isFailing) return Promise.reject(new Error('No response.'));
    const all = [...this.byId.values()];
    if (approvalIds !== undefined) {
      const ids = approvalIds.split(',');
      return Promise.resolve({ items: all.filter(({ approvalId }) => ids.includes(approvalId)), nextCursor: null });
    }
    const pendingApprovals = all.filter(({ status, canDecide }) => status === 'pending' && canDecide.allowed);
    const end = Number(cursor) + limit;
    return Promise.resolve({
      items: pendingApprovals.slice(Number(cursor), end),
      nextCursor: end < pendingApprovals.length ? String(end) : null,
    });
  };
}

export function createChange(approvalId: string, type = 'approval.requested'): ChangeMessage {
  return { id: '1', type: 'change', change: { type, data: { approvalId } } } as unknown as ChangeMessage;
}

/** Waits until immediate responses have arrived. */
export async function waitForResponses(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
