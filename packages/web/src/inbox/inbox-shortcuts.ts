import { texts } from '../texts/index.js';

const t = texts.approvals.keys;

/** What keys do in an inbox, by name, so that a host may give them other keys. */
export const INBOX_ACTIONS = Object.freeze(['next', 'previous', 'open', 'evidence', 'approve', 'reject', 'requestChanges', 'select', 'undo', 'search'] as const);
export type InboxAction = (typeof INBOX_ACTIONS)[number];

/** The keys as they come. */
export const INBOX_KEYS: Readonly<Record<InboxAction, string>> = Object.freeze({ next: 'j', previous: 'k', open: 'Enter', evidence: 'e', approve: 'a', reject: 'r', requestChanges: 'c', select: 'x', undo: 'u', search: '/' });

export interface InboxShortcut {
  readonly action: InboxAction;
  readonly keys: string;
  readonly label: string;
  run(): void;
}

/** The keys of an inbox with what they do, for whatever listens to keys and shows a help. */
export function inboxShortcuts(run: Readonly<Partial<Record<InboxAction, () => void>>>, keys: Readonly<Record<InboxAction, string>> = INBOX_KEYS): InboxShortcut[] {
  return INBOX_ACTIONS.flatMap((action) => {
    const does = run[action];
    return does === undefined ? [] : [{ action, keys: keys[action], label: t[action], run: does }];
  });
}
