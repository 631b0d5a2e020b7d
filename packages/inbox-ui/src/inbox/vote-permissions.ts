import type { Approval } from '@countersign/contract';
import type { InboxHost } from './inbox-host.js';

type Asked = Pick<Approval, 'status' | 'canDecide' | 'signatureRequired'>;
type Signs = Pick<InboxHost, 'signing'>;

/** Whether the person could decide, if they signed their vote, which they can't here, or not yet. */
export function needsSigningKey({ status, canDecide, signatureRequired }: Asked, { signing }: Signs): boolean {
  return status === 'pending' && canDecide.allowed && signatureRequired && signing.kind !== 'here';
}

/** Whether a vote is worth sending from here; the server would refuse any other. */
export function canVote(approval: Asked, host: Signs & Pick<InboxHost, 'offline'>): boolean {
  return (
    host.offline !== true &&
    approval.status === 'pending' &&
    approval.canDecide.allowed &&
    !needsSigningKey(approval, host)
  );
}

/**
 * Whether a vote is confirmed in a dialog of its own before it is sent, which takes the place of the grace: it is signed there,
 * or would be if it could. @param edited with other arguments, which can't be signed
 */
export function opensSigningDialog(
  { signatureRequired }: Pick<Approval, 'signatureRequired'>,
  { signing }: Signs,
  edited = false,
): boolean {
  return signing.kind === 'here' && (signing.every || (signatureRequired && !edited));
}

/** Opens the approval in the desktop client, and does nothing else. */
export function desktopLink(approvalId: string): string {
  return `countersign://approvals/${encodeURIComponent(approvalId)}`;
}
