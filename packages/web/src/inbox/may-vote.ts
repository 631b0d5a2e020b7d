import type { Approval } from '@countersign/contract';
import type { InboxHost } from './inbox-host.js';

type Asked = Pick<Approval, 'status' | 'canDecide' | 'signatureRequired'>;

/** Whether the person could decide, if they signed their vote where it can be signed. */
export function mustSignElsewhere({ status, canDecide, signatureRequired }: Asked, { signs }: Pick<InboxHost, 'signs'>): boolean {
  return status === 'pending' && canDecide.allowed && signatureRequired && !signs;
}

/** Whether a vote is worth sending from here; the server would refuse any other. */
export function mayVote(approval: Asked, host: Pick<InboxHost, 'signs'>): boolean {
  return approval.status === 'pending' && approval.canDecide.allowed && !mustSignElsewhere(approval, host);
}

/** Opens the approval in the desktop client, and does nothing else. */
export function desktopLink(approvalId: string): string {
  return `countersign://approvals/${encodeURIComponent(approvalId)}`;
}
