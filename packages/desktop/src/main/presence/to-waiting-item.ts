import type { InboxItem, Question } from '@countersign/contract';
import { describeReversibility } from '../vote/describe-reversibility.js';
import { toNotificationText } from './to-notification-text.js';
import type { WaitingApproval, WaitingQuestion } from './waiting-item.js';

const MAX_TITLE_LENGTH = 100;
const MAX_NAME_LENGTH = 60;

export function toWaitingApproval(serverId: string, approval: InboxItem): WaitingApproval {
  const { approvalId, round, title, requestedBy, riskLevel, requestedAt, dueAt, digest } = approval;
  return {
    serverId,
    approvalId,
    round,
    title: toNotificationText(title, MAX_TITLE_LENGTH),
    request: describeRequest(approval),
    requestedBy: toNotificationText(requestedBy, MAX_NAME_LENGTH),
    riskLevel,
    requestedAt,
    dueAt,
    digest,
  };
}

export function toWaitingQuestion(serverId: string, question: Question): WaitingQuestion {
  const { questionId, runId, text, agentName, workflowId, askedAt, dueAt } = question;
  return {
    serverId,
    questionId,
    runId,
    title: toNotificationText(text, MAX_TITLE_LENGTH),
    agentName: toNotificationText(agentName, MAX_NAME_LENGTH),
    workflowId: toNotificationText(workflowId, MAX_NAME_LENGTH),
    askedAt,
    dueAt,
  };
}

/** Returns a shorter text than the inbox shows: a notification has one line. */
function describeRequest({ subject, summary, workflowId }: InboxItem): string {
  if (subject.kind !== 'tool_call')
    return summary === ''
      ? `Continue the ${toNotificationText(workflowId, MAX_NAME_LENGTH)} run.`
      : endSentence(toNotificationText(summary, 160));
  const hostText = subject.hosts.length === 0 ? '' : ` on ${toNotificationText(subject.hosts.join(', '), 80)}`;
  return `Call ${toNotificationText(subject.tool, MAX_NAME_LENGTH)}${hostText}. ${describeReversibility(subject)}`;
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
