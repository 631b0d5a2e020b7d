import type { Approval, Decision } from '@countersign/contract';
import { texts } from '../texts/index.js';
import type { InboxHost } from './inbox-host.js';

type VotableApproval = Pick<Approval, 'status' | 'canDecide' | 'signatureRequired'>;
type SigningHost = Pick<InboxHost, 'signing'>;

/** Returns whether the user could decide with a signed vote, but has no signing key here yet. */
export function needsSigningKey(
  { status, canDecide, signatureRequired }: VotableApproval,
  { signing }: SigningHost,
): boolean {
  return status === 'pending' && canDecide.allowed && signatureRequired && signing.kind !== 'here';
}

/** Returns whether this client can cast a vote that the server accepts. */
export function canVote(approval: VotableApproval, host: SigningHost & Pick<InboxHost, 'offline'>): boolean {
  return (
    host.offline !== true &&
    approval.status === 'pending' &&
    approval.canDecide.allowed &&
    !needsSigningKey(approval, host)
  );
}

/**
 * Explains why nobody can make a decision on an approval, because its BPMN model leaves no way for it; `undefined` if it
 * is possible. Servers before 0.1.0 do not state this, and refuse the vote.
 */
export function explainUnavailableDecision(
  { unavailableDecisions = [] }: Pick<Approval, 'unavailableDecisions'>,
  decision: Decision,
): string | undefined {
  const found = unavailableDecisions.find((each) => each.decision === decision);
  if (found === undefined) return undefined;
  const t = texts.approvals.unavailable;
  return found.reason === 'rework_not_possible' ? t.noRework : t.other;
}

/**
 * Returns whether a vote is confirmed in a separate dialog before it is sent, which replaces the undo window. This
 * applies to votes that are signed on this device.
 *
 * @param edited whether the arguments were edited; edited arguments cannot be signed
 */
export function opensSigningDialog(
  { signatureRequired }: Pick<Approval, 'signatureRequired'>,
  { signing }: SigningHost,
  edited = false,
): boolean {
  return signing.kind === 'here' && (signing.signsEveryVote || (signatureRequired && !edited));
}

/** Returns a link that opens the approval in the desktop client and has no other effect. */
export function buildDesktopLink(approvalId: string): string {
  return `countersign://approvals/${encodeURIComponent(approvalId)}`;
}
