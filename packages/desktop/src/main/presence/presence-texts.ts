import type { RiskLevel } from '@countersign/contract';
import type { Announcement } from './notification-planner.js';
import type { WaitingItems } from './waiting-items-monitor.js';

const RISKS: Readonly<Record<RiskLevel, string>> = {
  low: 'Low risk',
  medium: 'Medium risk',
  high: 'High risk',
  critical: 'Critical risk',
};

/** Texts that the operating system shows. Inserted values are already sanitized. */
export const presenceTexts = Object.freeze({
  waiting: ({ items: { length }, hasMore, isKnown }: WaitingItems): string => {
    if (!isKnown) return 'Loading your approvals';
    if (length === 0) return 'No approval is waiting for you';
    return length === 1 && !hasMore
      ? '1 approval is waiting for you'
      : `${length}${hasMore ? '+' : ''} approvals are waiting for you`;
  },
  signedOut: 'Countersign: not signed in',
  title: ({ items, kind, isReminder }: Announcement): string => {
    const [first] = items;
    if (kind === 'one' && first !== undefined) return isReminder ? `Snoozed until now: ${first.title}` : first.title;
    return items.length === 1 ? '1 approval is waiting for you' : `${items.length} approvals are waiting for you`;
  },
  body: ({ items, kind }: Announcement): string => {
    const [first] = items;
    if (first === undefined) return '';
    if (kind === 'one') return `${RISKS[first.riskLevel]}. ${first.request} Requested by ${first.requestedBy}.`;
    return items.length === 1 ? first.title : `First: ${first.title} (${RISKS[first.riskLevel].toLowerCase()})`;
  },
  entry: (title: string, riskLevel: RiskLevel): string =>
    riskLevel === 'high' || riskLevel === 'critical' ? `${title} (${RISKS[riskLevel].toLowerCase()})` : title,
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
    'Countersign notifies you when an approval is waiting for you. To quit, choose “Quit Countersign” in the tray menu. You can change this in “Notifications and startup”.',
} as const);
