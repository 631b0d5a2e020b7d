import type { RiskLevel } from '@countersign/contract';
import type { Announcement } from './notification-planner.js';
import { isHighRisk, isQuestion, type WaitingItem } from './waiting-item.js';
import type { WaitingItems } from './waiting-items-monitor.js';

const RISKS: Readonly<Record<RiskLevel, string>> = {
  low: 'Low risk',
  medium: 'Medium risk',
  high: 'High risk',
  critical: 'Critical risk',
};

/** Texts that the operating system shows. Inserted values are already sanitized. */
export const presenceTexts = Object.freeze({
  waiting: ({ items, hasMore, isKnown }: WaitingItems): string => {
    if (!isKnown) return 'Loading your inbox';
    if (hasMore) return `${items.length}+ items are waiting for you`;
    return items.length === 0 ? 'Nothing is waiting for you' : describeCount(items);
  },
  signedOut: 'Countersign: not signed in',
  title: ({ items, kind, isReminder }: Announcement): string => {
    const [first] = items;
    if (kind === 'one' && first !== undefined) return isReminder ? `Snoozed until now: ${first.title}` : first.title;
    return describeCount(items);
  },
  body: ({ items, kind }: Announcement): string => {
    const [first] = items;
    if (first === undefined) return '';
    if (kind === 'summary')
      return items.length === 1 ? first.title : `First: ${first.title} (${getKind(first).toLowerCase()})`;
    return isQuestion(first)
      ? `Question from the agent ${first.agentName}, in the workflow ${first.workflowId}.`
      : `${RISKS[first.riskLevel]}. ${first.request} Requested by ${first.requestedBy}.`;
  },
  entry: (item: WaitingItem): string =>
    isQuestion(item) || isHighRisk(item) ? `${item.title} (${getKind(item).toLowerCase()})` : item.title,
  open: 'Open Countersign',
  snooze: 'Snooze for an hour',
  mute: 'Mute notifications',
  muteForHour: 'For an hour',
  muteUntilTomorrow: 'Until tomorrow morning',
  mutedUntil: (time: string) => `Notifications are muted until ${time}`,
  unmute: 'Unmute notifications',
  startAtLogin: 'Start at login',
  quit: 'Quit Countersign',
  replyHint: 'Reject: enter a reason',
  rejecting: (title: string): string => `Rejecting “${title}”`,
  rejectingBody: (reason: string): string => `Sending in 5 seconds: ${reason}`,
  undo: 'Undo',
  rejected: (title: string): string => `Rejected: ${title}`,
  rejectedBody: 'Your reason is recorded with your vote.',
  notRejected: (title: string): string => `Not rejected: ${title}`,
  notRejectedBody: 'Open the approval to see its status. Your text is kept.',
  staysTitle: 'Countersign stays in the tray',
  staysBody:
    'Countersign notifies you when an approval or a question is waiting for you. To quit, choose “Quit Countersign” in the tray menu. You can change this in “Notifications and startup”.',
} as const);

function getKind(item: WaitingItem): string {
  return isQuestion(item) ? 'Question' : RISKS[item.riskLevel];
}

/** @param items at least one */
function describeCount(items: readonly WaitingItem[]): string {
  const questionCount = items.filter(isQuestion).length;
  const counts = [formatCount(items.length - questionCount, 'approval'), formatCount(questionCount, 'question')].filter(
    (text) => text !== undefined,
  );
  return `${counts.join(' and ')} ${items.length === 1 ? 'is' : 'are'} waiting for you`;
}

function formatCount(count: number, noun: string): string | undefined {
  return count === 0 ? undefined : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
