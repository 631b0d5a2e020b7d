import type { InboxItem } from '@countersign/contract';
import { toOneLine } from '../ui/to-one-line.js';
import { describeEffect } from './describe-effect.js';

const MAX_LENGTH = 300;

/**
 * Returns one line that distinguishes a request from others with the same title: its summary, or the action to approve
 * if it has no summary. For tool calls, the action names the arguments.
 */
export function describeRequest(
  approval: Pick<InboxItem, 'title' | 'summary' | 'workflowId' | 'subject' | 'quorum'>,
): string {
  return hasSummary(approval) ? toOneLine(approval.summary, MAX_LENGTH) : describeEffect(approval);
}

/** Returns whether a request has a summary. The action of a tool call already names its arguments. */
export function hasSummary({ subject, summary }: Pick<InboxItem, 'subject' | 'summary'>): boolean {
  return subject.kind === 'user_task' && summary !== '';
}
