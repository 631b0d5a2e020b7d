import type { InboxItem, RiskLevel } from '@countersign/contract';
import { describeReversibility } from '../vote/describe-reversibility.js';
import { toNotificationText } from './to-notification-text.js';

/** An approval that waits for the signed-in user, with the data for tray and notifications. Its texts are sanitized. */
export interface WaitingItem {
  readonly serverId: string;
  readonly approvalId: string;
  readonly round: number;
  readonly title: string;
  /** What distinguishes the request: its summary, or the effect of approving. A sentence for display. */
  readonly request: string;
  readonly requestedBy: string;
  readonly riskLevel: RiskLevel;
  readonly requestedAt: string;
  /** RFC 3339; `null`: no due date. */
  readonly dueAt: string | null;
  /** Digest as reported by the server. */
  readonly digest: string;
}

type KeyProperties = Pick<WaitingItem, 'serverId' | 'approvalId' | 'round'>;

/** Returns the key of one round of an approval: each round has a different key. */
export function getWaitingItemKey({ serverId, approvalId, round }: KeyProperties): string {
  return `${serverId} ${approvalId} ${round}`;
}

export function isHighRisk({ riskLevel }: Pick<WaitingItem, 'riskLevel'>): boolean {
  return riskLevel === 'high' || riskLevel === 'critical';
}

export function toWaitingItem(serverId: string, approval: InboxItem): WaitingItem {
  const { approvalId, round, title, requestedBy, riskLevel, requestedAt, dueAt, digest } = approval;
  return {
    serverId,
    approvalId,
    round,
    title: toNotificationText(title, 100),
    request: describeRequest(approval),
    requestedBy: toNotificationText(requestedBy, 60),
    riskLevel,
    requestedAt,
    dueAt,
    digest,
  };
}

/** Returns a shorter text than the inbox shows: a notification has one line. */
function describeRequest({ subject, summary, workflowId }: InboxItem): string {
  if (subject.kind !== 'tool_call')
    return summary === ''
      ? `Continue the ${toNotificationText(workflowId, 60)} run.`
      : endSentence(toNotificationText(summary, 160));
  const hostText = subject.hosts.length === 0 ? '' : ` on ${toNotificationText(subject.hosts.join(', '), 80)}`;
  return `Call ${toNotificationText(subject.tool, 60)}${hostText}. ${describeReversibility(subject)}`;
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

const RANKS: Readonly<Record<RiskLevel, number>> = { critical: 3, high: 2, medium: 1, low: 0 };

/**
 * Compares approvals for the same order as in the inbox: highest risk first, then the earliest due date, then the
 * longest wait.
 */
export function compareByUrgency(one: WaitingItem, other: WaitingItem): number {
  return (
    RANKS[other.riskLevel] - RANKS[one.riskLevel] ||
    compare(one.dueAt ?? '9', other.dueAt ?? '9') ||
    compare(one.requestedAt, other.requestedAt) ||
    compare(one.approvalId, other.approvalId)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
