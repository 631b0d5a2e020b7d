import type { RiskLevel } from '@countersign/contract';

interface WaitingItemBase {
  readonly serverId: string;
  readonly title: string;
  /** RFC 3339; `null`: no due date. */
  readonly dueAt: string | null;
}

/** An approval that waits for the signed-in user, with the data for tray and notifications. Its texts are sanitized. */
export interface WaitingApproval extends WaitingItemBase {
  readonly approvalId: string;
  readonly round: number;
  /** What distinguishes the request: its summary, or the effect of approving. A sentence for display. */
  readonly request: string;
  readonly requestedBy: string;
  readonly riskLevel: RiskLevel;
  readonly requestedAt: string;
  /** Digest as reported by the server. */
  readonly digest: string;
}

/** A question that waits for an answer, with the data for tray and notifications. Its texts are sanitized. */
export interface WaitingQuestion extends WaitingItemBase {
  readonly questionId: string;
  readonly runId: string;
  readonly agentName: string;
  readonly workflowId: string;
  readonly askedAt: string;
}

/** What waits for the signed-in user: an approval, or a question of an agent. */
export type WaitingItem = WaitingApproval | WaitingQuestion;

/** Identifies one round of an approval, or a question, at a server. */
export type WaitingItemIdentity =
  Pick<WaitingApproval, 'serverId' | 'approvalId' | 'round'> | Pick<WaitingQuestion, 'serverId' | 'questionId'>;

export function isQuestion(item: WaitingItem): item is WaitingQuestion {
  return 'questionId' in item;
}

/** Returns the id of an item. The ids of approvals and of questions are distinct UUIDs. */
export function getItemId(item: WaitingItem): string {
  return isQuestion(item) ? item.questionId : item.approvalId;
}

/** Returns the key of an item at its server: each round of an approval has a different key. */
export function getKeyAtServer(item: WaitingItemIdentity): string {
  return 'questionId' in item ? item.questionId : `${item.approvalId} ${item.round}`;
}

/** Returns the key of an item among those of all servers. */
export function getWaitingItemKey(item: WaitingItemIdentity): string {
  return `${item.serverId} ${getKeyAtServer(item)}`;
}

/** Returns whether the item is an approval with a high or critical risk. Questions have no risk. */
export function isHighRisk(item: WaitingItem): boolean {
  return !isQuestion(item) && (item.riskLevel === 'high' || item.riskLevel === 'critical');
}

const RANKS: Readonly<Record<RiskLevel, number>> = { critical: 3, high: 2, medium: 1, low: 0 };
/** Rank of a question: the same as in the inbox (`inbox-sections.ts` of inbox-ui). */
const QUESTION_RANK = RANKS.medium;

/**
 * Compares items for the same order as in the inbox: highest risk first, then the earliest due date, then the longest
 * wait.
 */
export function compareByUrgency(one: WaitingItem, other: WaitingItem): number {
  return (
    getRank(other) - getRank(one) ||
    compare(one.dueAt ?? '9', other.dueAt ?? '9') ||
    compare(getRequestTime(one), getRequestTime(other)) ||
    compare(getItemId(one), getItemId(other))
  );
}

function getRank(item: WaitingItem): number {
  return isQuestion(item) ? QUESTION_RANK : RANKS[item.riskLevel];
}

function getRequestTime(item: WaitingItem): string {
  return isQuestion(item) ? item.askedAt : item.requestedAt;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
